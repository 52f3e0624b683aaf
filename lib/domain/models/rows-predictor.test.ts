import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { predictorOf } from "#lib/engine/inference/plain-model";
import { dropColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { store } from "#lib/platform/storage/store";
import { number, sales, series } from "#testing/sales-model";
import { setEnvironment } from "#testing/set-environment";
import { openModel } from "./open-model.ts";
import { rowsPredictor } from "./rows-predictor.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "rows-predictor-"));
setEnvironment({ DATA_DIR: folder });
afterAll(() => rmSync(folder, { recursive: true }));

const known = sales(400);
/** Rows beyond the known range and the horizon, with a missing value and an unknown category. */
const asked: Table = {
  ...sales(460, 7),
  columns: sales(460, 7).columns.filter(({ name }) => name !== "sales"),
};
const withGaps = (table: Table): Table => {
  const [first, ...others] = table.columns.filter(({ name }) => name !== "temp");
  const temp = Array.from({ length: table.rowCount }, (_, row) =>
    row % 5 === 0 ? Number.NaN : 3 * row - 40,
  );
  return { ...table, columns: [first!, number("temp", temp), ...others] };
};
const inTime = { ...series(withGaps(known)), request: {} };

test.each([
  ["trees over times", "gradient_boosting", "day"],
  ["trees without times", "gradient_boosting", null],
  ["a line", "ridge", null],
] as const)("threads predict the same bits as the main thread: %s", async (_, algorithm, timestamp) => {
  const table = timestamp === null ? dropColumns(inTime.table, ["day"]) : inTime.table;
  const request = { algorithm, features: { lags: [], rolling: [] }, hyperparameters: { rounds: 30 } };
  const key = `models/${algorithm.replace("_", "")}${timestamp ?? ""}`;
  const { files } = await fitModel({ ...inTime, table, timestamp, request });
  await store().writeFolder(key, files);
  const model = await openModel(key);
  const rows = timestamp === null ? dropColumns(withGaps(asked), ["day"]) : withGaps(asked);
  const here = await model.predict(rows, { include: { intervals: true } });
  const plain = structuredClone(model.plain());
  expect(await predictorOf(plain!)!(rows, { include: { intervals: true } })).toEqual(here);

  await using predictor = rowsPredictor({ model, artifactKey: key, history: undefined }, 1_000_000);
  const parts = [0, 100, 101, 300].map((from, at, all) =>
    sliceRows(rows, from, all[at + 1] ?? rows.rowCount),
  );
  const there = await Promise.all(parts.map((part) => predictor.predict(part, false)));
  const joined = (of: (part: (typeof there)[number]) => Float64Array) =>
    there.flatMap((part) => [...of(part)]);
  expect(joined(({ predictions }) => predictions)).toEqual([...here.predictions]);
  expect(joined(({ intervals }) => intervals!.upper)).toEqual([...here.intervals!.upper]);
});

test("a predicting thread loads no package at its start, so it starts fast and uses little memory", () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import("#lib/engine/inference/plain-model");
    await import("#lib/platform/threads/messages");
    console.log(loaded.filter((url) => url.includes("/node_modules/")).join());
  `;
  const loaded = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(loaded.trim()).toBe("");
});
