import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { growingModel, identityModel } from "#testing/onnx-models";
import { openGuardedSession } from "./guarded-session.ts";
import { openSession } from "./session.ts";
import { smokeRun } from "./smoke-run.ts";

const one = (value: number): Table => ({
  rowCount: 1,
  columns: [{ name: "x", type: "number", values: Float64Array.of(value) }],
});
const bindings = [{ feature: "x", input: "X" }];

test.runIf(process.platform === "linux")(
  "a model that passes its trial and later needs gigabytes ends only its process, and serves the next call",
  async () => {
    expect(await smokeRun(growingModel())).toMatchObject({ ok: true });
    const session = await openGuardedSession(growingModel(), { memoryMb: 1_024 });
    expect(Array.from(await session.predictNamed(one(10), bindings))).toEqual([10]);
    await expect(session.predictNamed(one(2 ** 29), bindings)).rejects.toThrow(
      "more than the limit of 1024 MB",
    );
    expect(Array.from(await session.predictNamed(one(3), bindings))).toEqual([3]);
    await session.release();
  },
);

test("returns the predictions and errors of an unguarded session, batch by batch", async () => {
  const rowCount = 20_000;
  const values = Float64Array.from({ length: rowCount }, (_, row) => Math.sin(row) * 1e3);
  const table: Table = { rowCount, columns: [{ name: "x", type: "number", values }] };
  const bytes = identityModel(["N", 1]);
  const [guarded, here] = [await openGuardedSession(bytes), await openSession(bytes)];
  expect(guarded.inputs).toEqual(here.inputs);
  const [a, b] = await Promise.all([
    guarded.predictNamed(table, bindings),
    guarded.predictNamed(one(7), bindings),
  ]);
  expect(a).toEqual(await here.predictNamed(table, bindings));
  expect(Array.from(b)).toEqual([7]);
  await expect(guarded.predictNamed(one(1), [{ feature: "y", input: "X" }])).rejects.toThrow(
    '"y" is missing',
  );
  await guarded.release();
  await expect(openGuardedSession(Uint8Array.of(8, 7, 1))).rejects.toThrow("cannot be loaded");
});
