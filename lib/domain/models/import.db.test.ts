import { execFileSync } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import type { Job } from "#lib/contract/jobs";
import type { Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import { floatsAttribute, intAttribute, intsAttribute } from "#lib/engine/onnx/attributes";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { callRoute } from "#testing/api";
import { newImportProject } from "#testing/import-project";
import { FLOAT, growingModel, INT64, modelFile, node, sequenceInfo, tensorInfo } from "#testing/onnx-models";
import { createTestDatabase } from "#testing/postgres";
import { runJobHere } from "#testing/run-jobs";
import { base64 } from "#testing/scenario-factory";
import { GET as jobRoute } from "../../../app/api/v1/jobs/[jobId]/route.ts";
import { GET as currentRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { POST as uploadRoute } from "../../../app/api/v1/projects/[projectId]/uploads/route.ts";
import { modelProcesses } from "./stored-model-runner.ts";

await createTestDatabase();
// An import starts two processes, one of them with a low priority.
vi.setConfig({ testTimeout: 120_000 });

/** y = 3 x - 2 z + 1. */
const linear = linearToOnnx(
  { kind: "linear", coefficients: Float64Array.of(3, -2), intercept: 1, means: Float64Array.of(0, 0) },
  {},
);
const labelled = Array.from(
  { length: 40 },
  (_, i) => `${i % 7},${i % 5},${3 * (i % 7) - 2 * (i % 5) + 1 + (i % 3) / 10}`,
);
const request = {
  modelName: "From elsewhere",
  target: "y",
  targetMetric: "mae",
  inputs: [{ feature: "x" }, { feature: "z" }],
  labelledRows: base64(`x,z,y\n${labelled.join("\n")}\n`),
};

/** Returns the IDs of the processes for imported models that this process has started. */
function modelChildren(): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="]).toString().split("\n");
  return lines.flatMap((line) => {
    const [id, parent] = line.trim().split(/\s+/, 2).map(Number);
    return parent === process.pid && line.includes("model-child") ? [id!] : [];
  });
}

describe("POST models/import", () => {
  it("makes an ONNX file the current model, measured on the labelled rows, and predicts with it", async () => {
    const earlier = new Set(modelChildren());
    const { projectId, as, start } = await newImportProject();
    const accepted = await start({ ...request, fileData: base64(linear) });
    expect([accepted.status, accepted.data.status]).toEqual([202, "Pending"]);
    const job = await runJobHere(accepted.data.jobId);
    expect(job).toMatchObject({ status: "Completed", errorMessage: null });
    const { data: model } = await callRoute<Model>(currentRoute, { params: { projectId }, as });
    expect(model).toMatchObject({
      id: job.modelId,
      source: "imported",
      modelName: "From elsewhere",
      target: "y",
      targetMetric: "mae",
      primaryMetricValue: model.trainingMetrics.validation?.mae,
    });
    expect(model.trainingMetrics.validation?.r2).toBeGreaterThan(0.99);
    const answer = await callRoute<Prediction>(predictRoute, {
      params: { projectId },
      as,
      body: { input: { z: [0, 1], x: [2, 5] } },
    });
    expect(answer.data.predictions).toEqual([7, 14]);
    // A thread answers long requests. It uses the process of its main thread.
    const rows = Array.from({ length: 3_000 }, (_, row) => row % 50);
    const long = await callRoute<Prediction>(predictRoute, {
      params: { projectId },
      as,
      body: { input: { z: rows.map(() => 0), x: rows } },
    });
    expect(long.status, long.text).toBe(200);
    expect(long.data.predictions).toEqual(rows.map((x) => 3 * x + 1));
    const listed = modelProcesses().list();
    expect(listed.filter((one) => one.projectId === projectId)).toHaveLength(1);
    // The other processes of this test end.
    await expect.poll(() => modelChildren().filter((id) => !earlier.has(id)).length).toBe(1);
  });

  it("takes a file that was uploaded before", async () => {
    const { projectId, as, start } = await newImportProject();
    const upload = await callRoute<{ uploadId: string }>(uploadRoute, {
      params: { projectId },
      as,
      body: linear,
      headers: { "content-type": "application/octet-stream" },
    });
    const accepted = await start({ ...request, uploadId: upload.data.uploadId });
    expect(await runJobHere(accepted.data.jobId)).toMatchObject({ status: "Completed" });
  });

  it("reports input that the model rejects as an issue, and survives a hostile model", async () => {
    const { projectId, as, start } = await newImportProject();
    const predict = (X: unknown[]) =>
      callRoute<Prediction>(predictRoute, { params: { projectId }, as, body: { input: { X } } });
    const load = async (bytes: Uint8Array) => {
      const body = { modelName: "M", target: "y", targetMetric: "mae", fileData: base64(bytes) };
      expect(await runJobHere((await start(body)).data.jobId)).toMatchObject({ errorMessage: null });
    };
    await load(
      modelFile({
        nodes: [node("Identity", ["X"], ["Y"])],
        inputs: [tensorInfo("X", INT64, ["N", 1])],
        outputs: [tensorInfo("Y", INT64, ["N", 1])],
      }),
    );
    const { status, error } = await predict([1, 2.5]);
    expect([status, error?.code, error?.message]).toEqual([
      400,
      "input_invalid",
      expect.stringContaining('"X" is 2.5 in row 2'),
    ]);
    await load(growingModel());
    expect((await predict([3, 4])).data.predictions).toEqual([3, 4]);
    if (process.platform !== "linux") return;
    const bomb = await predict([2 ** 30]);
    expect([bomb.status, bomb.error?.code]).toEqual([400, "input_invalid"]);
    expect((await predict([5])).data.predictions).toEqual([5]);
  });

  it("predicts a classifier's labels with a warning, and probabilities if their output is named", async () => {
    const { projectId, as, start } = await newImportProject();
    const classlabels = [intsAttribute("classlabels_int64s", [0, 1])];
    const classifier = modelFile({
      nodes: [
        node("ArgMax", ["X"], ["label"], {
          attributes: [intAttribute("axis", 1), intAttribute("keepdims", 0)],
        }),
        node("ZipMap", ["X"], ["maps"], { domain: "ai.onnx.ml", attributes: classlabels }),
      ],
      inputs: [tensorInfo("X", FLOAT, ["N", 2])],
      outputs: [tensorInfo("label", INT64, ["N"]), sequenceInfo("maps")],
    });
    const inputs = [{ feature: "x" }, { feature: "z" }];
    const fields = { modelName: "M", target: "y", targetMetric: "mae", inputs };
    const predictions = async (choice: object) => {
      const { data } = await start({ ...fields, ...choice, fileData: base64(classifier) });
      const { message } = await runJobHere(data.jobId);
      expect(message).toContain("M: accuracy is unknown, because the import has no rows with actuals.");
      const body = { input: { x: [0.25, 0.75], z: [0.75, 0.25] } };
      const answer = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body });
      return [answer.data.predictions, message?.includes('set output to "maps"')];
    };
    expect(await predictions({})).toEqual([[1, 0], true]);
    expect(await predictions({ output: "maps" })).toEqual([[0.75, 0.25], false]);
    expect(await predictions({ output: "maps", outputColumn: 0 })).toEqual([[0.25, 0.75], false]);
    const { data } = await start({ ...fields, fileData: base64(classifier) });
    await runJobHere(data.jobId);
    const job = await callRoute<Job>(jobRoute, { params: { jobId: data.jobId }, as });
    const option = { output: "maps", elementType: "float32", shape: ["?", 2] };
    expect(job.data.outputOptions).toEqual([
      { ...option, outputColumn: 0, label: "0" },
      { ...option, outputColumn: 1, label: "1" },
    ]);
  });

  it("asks which of several outputs is the prediction, and accepts the answer", async () => {
    const { projectId, as, start } = await newImportProject();
    const fileData = base64(
      modelFile({
        nodes: [node("Identity", ["X"], ["mean"]), node("Neg", ["X"], ["deviation"])],
        inputs: [tensorInfo("X", FLOAT, ["N", 1])],
        outputs: [tensorInfo("mean", FLOAT, ["N", 1]), tensorInfo("deviation", FLOAT, ["N", 1])],
      }),
    );
    const fields = { modelName: "M", target: "y", targetMetric: "mae", fileData };
    const asked = await start(fields);
    await runJobHere(asked.data.jobId);
    const { data: job } = await callRoute<Job>(jobRoute, { params: { jobId: asked.data.jobId }, as });
    expect(job).toMatchObject({ status: "Failed", error: { code: "model_invalid" } });
    expect(job.error?.message).toContain('- output "deviation": float32 [N, 1]');
    expect(job.outputOptions?.map(({ output }) => output)).toEqual(["mean", "deviation"]);
    const { output } = job.outputOptions![1]!;
    const answered = await runJobHere((await start({ ...fields, output })).data.jobId);
    expect(answered).toMatchObject({ status: "Completed", outputOptions: null });
    const body = { input: { X: [2] } };
    const { data } = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body });
    expect(data.predictions).toEqual([-2]);
  });

  it("imports a model that leaves the number of columns open, with the listed inputs", async () => {
    const { projectId, as, start } = await newImportProject();
    const attributes = [floatsAttribute("coefficients", [3, -2]), floatsAttribute("intercepts", [1])];
    const open = modelFile({
      nodes: [node("LinearRegressor", ["X"], ["Y"], { domain: "ai.onnx.ml", attributes })],
      inputs: [tensorInfo("X", FLOAT, [null, null])],
      outputs: [tensorInfo("Y", FLOAT, [null, 1])],
    });
    const job = await runJobHere((await start({ ...request, fileData: base64(open) })).data.jobId);
    expect(job).toMatchObject({ status: "Completed", errorMessage: null });
    const body = { input: { x: [2], z: [1] } };
    const { data } = await callRoute<Prediction>(predictRoute, { params: { projectId }, as, body });
    expect(data.predictions).toEqual([5]);
  });

  it("rejects invalid base64 and invalid labelled rows at once", async () => {
    const { start } = await newImportProject();
    const bad = await start({ ...request, fileData: "not base64!" });
    expect(bad.error).toMatchObject({ code: "validation_failed", details: [{ field: "fileData" }] });
    const rows = await start({
      ...request,
      fileData: base64(linear),
      labelledRows: base64("x,z,y\n1,2,?\n"),
    });
    expect(rows.error).toMatchObject({ code: "input_invalid", details: [{ row: 1, column: "y" }] });
    const target = await start({ ...request, fileData: base64(linear), labelledRows: base64("x,z\n1,2\n") });
    expect(target.error?.code).toBe("input_invalid");
  });

  it("ends Failed with model_invalid and the reason for an invalid model file", async () => {
    const { projectId, as, start } = await newImportProject();
    const pickle = Uint8Array.of(0x80, 0x04, 0x95, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x2e);
    const files: [Uint8Array, unknown][] = [
      [pickle, { ...request }],
      [linear.subarray(0, linear.length >> 1), { ...request }],
      [linear, { ...request, inputs: [{ feature: "x", input: "nowhere" }] }],
    ];
    for (const [bytes, body] of files) {
      const accepted = await start({ ...(body as object), fileData: base64(bytes) });
      const job = await runJobHere(accepted.data.jobId);
      expect(job).toMatchObject({ status: "Failed", errorCode: "model_invalid", modelId: null });
      expect(job.errorMessage?.length).toBeGreaterThan(10);
    }
    const current = await callRoute(currentRoute, { params: { projectId }, as });
    expect(current.error?.code).toBe("model_not_found");
  });
});
