import { expect, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { floatsAttribute, intsAttribute, stringsAttribute } from "#lib/engine/onnx/attributes";
import { treesToOnnx } from "#lib/engine/onnx/write-model";
import {
  endlessModel,
  FLOAT,
  identityModel,
  layeredModel,
  memoryBomb,
  modelFile,
  node,
  STRING,
  sequenceInfo,
  tensorInfo,
} from "#testing/onnx-models";
import { openSession } from "./session.ts";
import { smokeRun } from "./smoke-run.ts";

test("returns a valid model's inputs, outputs and values", async () => {
  const ensemble = { kind: "trees" as const, baseValue: 1.5, featureCount: 3, trees: [] };
  expect(await smokeRun(treesToOnnx(ensemble, {}))).toEqual({
    ok: true,
    onnx: null,
    featureNames: [],
    zipMaps: [],
    inputs: [{ name: "X", elementType: "float32", shape: ["N", 3], batch: null }],
    outputs: [{ name: "Y", elementType: "float32", shape: ["N", 1], batch: null }],
    rounds: null,
    sample: [{ name: "Y", elementType: "float32", dims: [2, 1], values: [1.5, 1.5] }],
  });
});

test("runs a model with a fixed batch at that size", async () => {
  const result = await smokeRun(identityModel([1, 2]));
  expect(result).toMatchObject({ ok: true, sample: [{ dims: [1, 2], values: [0, 0] }] });
});

test("rejects other bytes with the reason", async () => {
  const result = await smokeRun(Uint8Array.from({ length: 1_000 }, (_, at) => (at * 37) % 256));
  expect(result).toEqual({ ok: false, reason: expect.stringContaining("not an ONNX model") });
});

test("rejects a model without tensor outputs, and offers the classes of its ZipMap", async () => {
  const attributes = [stringsAttribute("classlabels_strings", ["no", "yes"])];
  const zipMap = modelFile({
    nodes: [node("ZipMap", ["X"], ["Y"], { domain: "ai.onnx.ml", attributes })],
    inputs: [tensorInfo("X", FLOAT, [1, 2])],
    outputs: [sequenceInfo("Y")],
  });
  const option = { output: "Y", elementType: "float32", shape: ["?", 2] };
  expect(await smokeRun(zipMap)).toEqual({
    ok: false,
    reason: expect.stringContaining("No output of the model is a tensor of numbers, but"),
    outputOptions: [
      { ...option, outputColumn: 0, label: "no" },
      { ...option, outputColumn: 1, label: "yes" },
    ],
  });
  expect(await smokeRun(zipMap, { output: "Y" })).toMatchObject({
    ok: true,
    outputs: [{ name: "Y", elementType: "float32" }],
    zipMaps: [{ output: "Y", labels: ["no", "yes"] }],
  });
  const text = modelFile({
    nodes: [node("Identity", ["X"], ["Y"])],
    inputs: [tensorInfo("X", STRING, ["N", 1])],
    outputs: [tensorInfo("Y", STRING, ["N", 1])],
  });
  expect(await smokeRun(text)).toMatchObject({
    ok: false,
    reason: expect.stringContaining("No output of the model is a tensor"),
  });
});

test("runs an input of open width with the mapped columns, and asks for them without a mapping", async () => {
  const attributes = [floatsAttribute("coefficients", [3, -2]), floatsAttribute("intercepts", [1])];
  const model = modelFile({
    nodes: [node("LinearRegressor", ["X"], ["Y"], { domain: "ai.onnx.ml", attributes })],
    inputs: [tensorInfo("X", FLOAT, [null, null])],
    outputs: [tensorInfo("Y", FLOAT, [null, 1])],
  });
  const inputs = [{ feature: "x" }, { feature: "z" }];
  expect(await smokeRun(model, { inputs })).toMatchObject({ ok: true, sample: [{ values: [1, 1] }] });
  expect(await smokeRun(model)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('number of columns of the input "X" [?, ?]. List its features in inputs'),
  });
  const session = await openSession(model);
  const table: Table = {
    rowCount: 1,
    columns: ["x", "z"].map((name) => ({ name, type: "number", values: Float64Array.of(2) })),
  };
  const bindings = inputs.map(({ feature }, index) => ({ feature, input: "X", index }));
  expect(Array.from(await session.predictNamed(table, bindings))).toEqual([3]);
});

test("rejects a fixed batch that makes every row expensive", async () => {
  expect(await smokeRun(identityModel([100_000_000, 1]))).toEqual({
    ok: false,
    reason: expect.stringContaining("a fixed batch of 100,000,000 rows. At most 10,000 are supported."),
  });
  expect(await smokeRun(identityModel([10_000, 1]))).toMatchObject({ ok: true });
});

test("rejects a model that is too slow, with its cost and the limit", async () => {
  const batches = layeredModel(200, 64, 512);
  expect(await smokeRun(batches)).toMatchObject({ ok: true });
  expect(await smokeRun(batches, { cost: { oneRow: 0.2, fullBatch: 10_000 } })).toEqual({
    ok: false,
    reason: expect.stringMatching(
      /^The model needs [\d.]+ seconds of processor time for one row\. The limit is 0\.0002 seconds\./,
    ),
  });
  const rows = layeredModel(20, 64, "N");
  for (const bytes of [rows, batches])
    expect(await smokeRun(bytes, { cost: { oneRow: 10_000, fullBatch: 1 } })).toEqual({
      ok: false,
      reason: expect.stringMatching(
        /^The model needs [\d.]+ seconds of processor time for 8,192 rows\. The limit is 0\.001 seconds\./,
      ),
    });
});

test("stops a model that never ends", async () => {
  const started = performance.now();
  const result = await smokeRun(endlessModel(), { timeoutMs: 3_000 });
  expect(result).toEqual({ ok: false, reason: "The model did not respond within 3 seconds." });
  expect(performance.now() - started).toBeLessThan(20_000);
});

test.runIf(process.platform === "linux")("stops a model that fills the memory", async () => {
  // 2^28 values are 1 GB.
  const result = await smokeRun(memoryBomb(28), { memoryMb: 1_024 });
  expect(result).toEqual({ ok: false, reason: expect.stringContaining("more than the limit of 1024 MB") });
  expect(await smokeRun(memoryBomb(10), { memoryMb: 1_024 })).toMatchObject({ ok: true });
});

test("stops a file that fills the memory while it is read", async () => {
  const lists = new TextEncoder().encode(`{"learner":[${"[],".repeat(2_000_000)}[]]}`);
  const result = await smokeRun(lists, { format: "xgboost-json", heapMb: 64 });
  expect(result).toEqual({ ok: false, reason: expect.stringMatching(/memory/) });
});

test("converts other formats", async () => {
  const tree = { left_children: [-1], right_children: [-1], split_indices: [0], split_conditions: [2] };
  const trees = [{ ...tree, default_left: [0], sum_hessian: [1] }];
  const learner = {
    gradient_booster: { name: "gbtree", model: { trees } },
    learner_model_param: { base_score: "5E-1", num_feature: "1" },
    objective: { name: "reg:squarederror" },
  };
  const file = new TextEncoder().encode(JSON.stringify({ learner }));
  const result = await smokeRun(file, { format: "xgboost-json" });
  expect(result).toMatchObject({ ok: true, sample: [{ values: [2.5, 2.5] }] });
  expect(result).toHaveProperty("onnx", expect.any(Uint8Array));
});

test("opens a named ZipMap output: one column per class", async () => {
  const attributes = [intsAttribute("classlabels_int64s", [0, 1])];
  const model = modelFile({
    nodes: [
      node("ZipMap", ["X"], ["maps"], { domain: "ai.onnx.ml", attributes }),
      node("Identity", ["X"], ["label"]),
    ],
    inputs: [tensorInfo("X", FLOAT, ["N", 2])],
    outputs: [tensorInfo("label", FLOAT, ["N", 2]), sequenceInfo("maps")],
  });
  const result = await smokeRun(model, { output: "maps" });
  if (!result.ok || result.onnx === null) throw new Error("The output was not opened.");
  const session = await openSession(result.onnx);
  const table: Table = {
    rowCount: 2,
    columns: ["a", "b"].map((name, at) => ({ name, type: "number", values: Float64Array.of(at, at + 0.5) })),
  };
  const bindings = ["a", "b"].map((feature, index) => ({ feature, input: "X", index }));
  const values = await session.predictNamed(table, bindings, { output: "maps", column: 1 });
  expect(Array.from(values)).toEqual([1, 1.5]);
});
