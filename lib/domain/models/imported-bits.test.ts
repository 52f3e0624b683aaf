import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { loadModel } from "#lib/engine/inference/load-model";
import type { ModelRunner } from "#lib/engine/inference/model-runner";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { treesToOnnx } from "#lib/engine/onnx/write-model";
import { completeBindings } from "#lib/engine/runtime/input-bindings";
import { openSession } from "#lib/engine/runtime/session";
import { smokeRun } from "#lib/engine/runtime/smoke-run";
import { buildImportedModel } from "#lib/engine/training/build-imported-model";
import { openHere } from "#testing/import-here";
import { layeredModel } from "#testing/onnx-models";
import { ModelProcesses } from "./model-processes.ts";

// Imported models give the bits of ONNX Runtime wherever they run. The folder holds models of other exporters.

vi.setConfig({ testTimeout: 120_000 });

const folder = path.resolve(import.meta.dirname, "../../../../../shared/data/onnx");
const exported = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".onnx")) : [];
if (exported.length === 0) console.warn(`Models of other exporters are not tested: ${folder} is missing.`);

const processes = new ModelProcesses({
  budgetMb: 1_024,
  processMb: 512,
  timeoutMs: 60_000,
  waitMs: 60_000,
  idleMs: 60_000,
});
afterAll(() => processes.endIdle());

const random = (at: number) => Math.sin(12.9898 * at) * 43_758.5453;
const fraction = (at: number) => random(at) - Math.floor(random(at));

function columnOf(name: string, type: Column["type"], rowCount: number, seed: number): Column {
  if (type === "category") {
    const categories = ["0", "1", "2", "a", "b", "male", "female"];
    const codes = Int32Array.from({ length: rowCount }, (_, row) => Math.floor(3 * fraction(row + seed)));
    return { name, type, categories, codes };
  }
  const whole = type === "boolean" ? 2 : 8;
  const values = Float64Array.from({ length: rowCount }, (_, row) =>
    Math.floor(whole * fraction(row + seed)),
  );
  return { name, type: "number", values };
}

const trained = () => {
  const columns = [0, 1].map((seed) =>
    Float64Array.from({ length: 500 }, (_, row) => fraction(row + 977 * seed)),
  );
  const target = columns[0]!.map((value, row) => 10 * value - 3 * columns[1]![row]!);
  const floats = columns.map((column) => Float32Array.from(column));
  return treesToOnnx(trainGradientBoosting(floats, target, { rounds: 40 }).ensemble, {});
};

const cases: [name: string, bytes: () => Uint8Array][] = [
  ...exported.map((name): [string, () => Uint8Array] => [name, () => readFileSync(path.join(folder, name))]),
  ["trees of this service", trained],
  ["a fixed batch", () => layeredModel(3, 5, 256)],
];

describe.each(cases)("%s", (name, make) => {
  test("gives the bits of ONNX Runtime for predictions, scenarios and contributions", async () => {
    const file = make();
    let tried = await smokeRun(file);
    // A map of probabilities becomes a matrix if it is named.
    if (!tried.ok) tried = await smokeRun(file, { output: tried.outputOptions?.[0]?.output ?? null });
    if (!tried.ok) throw new Error(tried.reason);
    const bytes = tried.onnx ?? file;
    const output = tried.outputs.find(({ elementType }) => elementType === "float32")?.name ?? null;
    const column = (tried.sample.find((one) => one.name === output)?.dims[1] ?? 1) > 2 ? 1 : null;
    const choice = { ...(output !== null && { output }), ...(column !== null && { column }) };
    const features = completeBindings(tried.inputs);
    const bindings = features.map(({ binding }) => binding);
    const tableOf = (rowCount: number): Table => ({
      rowCount,
      columns: features.map(({ binding, type }, at) => columnOf(binding.feature, type, rowCount, 31 * at)),
    });
    const session = await openSession(bytes);
    const labelled = tableOf(60);
    const target = await session.predictNamed(labelled, bindings, choice);
    const runner: ModelRunner = async (model, work) => {
      const used = { ...model, key: name, read: async () => bytes };
      return (await processes.run(name, used, work)) as never;
    };
    const { files } = await buildImportedModel({
      bytes,
      modelInputs: tried.inputs,
      runner,
      modelName: name,
      target: "target",
      targetMetric: "mae",
      ...(output !== null && { output }),
      ...(column !== null && { outputColumn: column }),
      labelledRows: {
        rowCount: 60,
        columns: [...labelled.columns, { name: "target", type: "number", values: target }],
      },
    });
    const [served, here] = await Promise.all([
      loadModel(async (wanted) => files.get(wanted)!, runner),
      openHere(files),
    ]);
    for (const rowCount of [1, 37, 9_000]) {
      const table = tableOf(rowCount);
      const { predictions } = await served.predict(table);
      expect(predictions).toEqual(await session.predictNamed(table, bindings, choice));
    }
    const include = { intervals: true, contributions: true };
    expect(await served.predict(tableOf(9), { include })).toEqual(
      await here.predict(tableOf(9), { include }),
    );
  });
});
