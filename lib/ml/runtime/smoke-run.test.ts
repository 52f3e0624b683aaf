import { expect, test } from "vitest";
import { intsAttribute } from "../onnx/attribute.ts";
import {
  endlessModel,
  FLOAT,
  identityModel,
  memoryBomb,
  modelFile,
  node,
  sequenceInfo,
  tensorInfo,
} from "../onnx/test-models.ts";
import { treesToOnnx } from "../onnx/write-model.ts";
import { smokeRun } from "./smoke-run.ts";

test("a sound model tells its inputs, outputs and what it gives", async () => {
  const ensemble = { kind: "trees" as const, baseValue: 1.5, featureCount: 3, trees: [] };
  expect(await smokeRun(treesToOnnx(ensemble, {}))).toEqual({
    ok: true,
    inputs: [{ name: "X", elementType: "float32", shape: ["N", 3], batch: null }],
    outputs: [{ name: "Y", elementType: "float32", shape: ["N", 1], batch: null }],
    sample: [{ name: "Y", elementType: "float32", dims: [2, 1], values: [1.5, 1.5] }],
  });
});

test("a model with a fixed batch is run with just that", async () => {
  const result = await smokeRun(identityModel([1, 2]));
  expect(result).toMatchObject({ ok: true, sample: [{ dims: [1, 2], values: [0, 0] }] });
});

test("rubbish is refused with the runtime's reason", async () => {
  const result = await smokeRun(Uint8Array.from({ length: 1_000 }, (_, at) => (at * 37) % 256));
  expect(result).toEqual({ ok: false, reason: expect.stringContaining("cannot be loaded") });
});

test("a model whose outputs are no tensors is refused", async () => {
  const attributes = [intsAttribute("classlabels_int64s", [0, 1])];
  const model = modelFile({
    nodes: [node("ZipMap", ["X"], ["Y"], { domain: "ai.onnx.ml", attributes })],
    inputs: [tensorInfo("X", FLOAT, [1, 2])],
    outputs: [sequenceInfo("Y")],
  });
  expect(await smokeRun(model)).toEqual({
    ok: false,
    reason: expect.stringContaining("outputs is a tensor"),
  });
});

test("a model that never ends is ended", async () => {
  const started = performance.now();
  const result = await smokeRun(endlessModel(), { timeoutMs: 3_000 });
  expect(result).toEqual({ ok: false, reason: "The model did not answer within 3 seconds." });
  expect(performance.now() - started).toBeLessThan(20_000);
});

test.runIf(process.platform === "linux")("a model that fills the memory is stopped", async () => {
  // 2^28 values are 1 GB.
  const result = await smokeRun(memoryBomb(28), { memoryMb: 1_024 });
  expect(result).toEqual({ ok: false, reason: expect.stringContaining("more than the 1024 MB") });
  expect(await smokeRun(memoryBomb(10), { memoryMb: 1_024 })).toMatchObject({ ok: true });
});
