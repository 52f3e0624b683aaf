import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { Scenario } from "#lib/contract/scenarios";
import { createUpload } from "#lib/domain/datasets/create-upload";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { readJob } from "#lib/domain/jobs/find-job";
import { requestImport } from "#lib/domain/models/request-import";
import { requestTraining } from "#lib/domain/models/request-training";
import { modelProcesses } from "#lib/domain/models/stored-model-runner";
import { setDependencies } from "#lib/domain/projects/set-dependencies";
import { database } from "#lib/platform/database/process-database";
import { callRoute, createProject, createUser, testContext } from "#testing/api";
import { keptFolders } from "#testing/kept-folders";
import { endlessModel, layeredModel } from "#testing/onnx-models";
import { createTestDatabase } from "#testing/postgres";
import { createTrainedProject, getScenario, postScenario } from "#testing/scenario-factory";
import { POST as cancelRoute } from "../../app/api/v1/jobs/[jobId]/cancel/route.ts";
import { runWorker } from "./main.ts";

const { sql } = await createTestDatabase();
const db = database();
const ctx = testContext();
const admin = await createUser();
const project = await createTrainedProject({
  csv: rowsFrom(0, 1_000),
  target: "y",
  timestamp: "time",
  request: { algorithm: "ridge", features: { lags: [1], calendar: false } },
});
const worker = await runWorker();
afterAll(() => worker.stop());

vi.setConfig({ testTimeout: 120_000 }); // Each wait of a test may take 30 s (`soon`).
/** Far shorter than the work itself, and long enough for a busy machine. */
const soon = { interval: 10, timeout: 30_000 };
const folders = async (projectId: string) => (await keptFolders(`projects/${projectId}`)).sort();

/** Returns a CSV with a row every ten minutes. A model of `y` needs many trees. */
function rowsFrom(from: number, count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const row = from + at;
    const [a, b] = [(row * 7_919) % 1_009, (row * 104_729) % 1_013];
    return `${new Date(600_000 * row).toISOString()},${a},${b},${(a * b) % 977}`;
  });
  return `time,a,b,y\n${lines.join("\n")}\n`;
}

async function upload(projectId: string, content: string | Uint8Array, isCsv = true): Promise<string> {
  const bytes = (async function* () {
    yield Buffer.from(content);
  })();
  return (await createUpload(ctx, { projectId, content: bytes, isCsv })).uploadId;
}

/** Waits until the job reaches a stage, cancels it through the route, and waits for its end. */
async function cancelAt(jobId: string, stage: string): Promise<void> {
  const job = async () => (await readJob(db, jobId))!;
  await expect.poll(job, soon).toMatchObject({ status: "Running", stage });
  const answer = await callRoute(cancelRoute, { method: "POST", params: { jobId }, as: admin });
  expect(answer.status).toBe(200);
  await expect.poll(job, soon).toMatchObject({ status: "Cancelled", errorCode: null, attempt: 1 });
}

describe("a cancelled job ends soon and leaves no partial result:", () => {
  it.each<[stage: string, timestamp: "time" | undefined]>([
    ["select", "time"],
    ["train", undefined],
  ])("a training in stage %s", async (stage, timestamp) => {
    const { id: projectId } = await createProject();
    const uploadId = await upload(projectId, rowsFrom(0, 8_000));
    await putDataset(ctx, {
      projectId,
      uploadId,
      target: "y",
      exclude: timestamp ? [] : ["time"],
      timestamp,
    });
    const before = await folders(projectId);
    const request = {
      algorithm: "gradient_boosting",
      hyperparameters: { rounds: 5_000, maxLeaves: 255 },
    } as const;
    const { jobId } = await requestTraining(ctx, { projectId, request });
    await cancelAt(jobId, stage);
    expect(await folders(projectId)).toEqual(before);
    expect(await sql`select from models where project_id = ${projectId}`).toHaveLength(0);
  });

  it("an import whose model never answers, with the process that runs the model", async () => {
    const { id: projectId } = await createProject();
    const uploadId = await upload(projectId, endlessModel(), false);
    const before = await folders(projectId);
    const fields = {
      modelName: "Endless",
      target: "y",
      targetMetric: "mae",
      inputs: [{ feature: "x" }],
    } as const;
    const { jobId } = await requestImport(ctx, {
      projectId,
      request: { ...fields, inputs: [...fields.inputs], uploadId },
    });
    await cancelAt(jobId, "try");
    const children = () => execFileSync("ps", ["--ppid", String(process.pid), "-o", "args="]).toString();
    await expect.poll(children, { interval: 50, timeout: 15_000 }).not.toContain("smoke-child");
    expect(await folders(projectId)).toEqual(before);
  });

  it("a training, with the process that runs the imported model of an upstream project", async () => {
    const width = 64;
    const names = Array.from({ length: width }, (_, at) => `x${at}`);
    const { id: upstreamId } = await createProject();
    const imported = await requestImport(ctx, {
      projectId: upstreamId,
      request: {
        modelName: "Slow",
        target: "z",
        targetMetric: "mae",
        inputs: names.map((feature, index) => ({ feature, index })),
        uploadId: await upload(upstreamId, layeredModel(1_000, width, "N"), false),
      },
    });
    const statusOf = async (jobId: string) => (await readJob(db, jobId))!.status;
    await expect.poll(() => statusOf(imported.jobId), soon).toBe("Completed");
    modelProcesses().endIdle();
    const { id: projectId } = await createProject();
    await setDependencies(ctx, { projectId, dependencies: [{ projectId: upstreamId, featureName: "z" }] });
    const rows = Array.from({ length: 8_000 }, (_, row) => [
      ...names.map((_, at) => (row * at) % 7),
      row % 5,
    ]);
    const uploadId = await upload(projectId, `${[...names, "y"].join(",")}\n${rows.join("\n")}\n`);
    await putDataset(ctx, { projectId, uploadId, target: "y" });
    const { jobId } = await requestTraining(ctx, { projectId, request: { algorithm: "ridge" } });
    const running = () =>
      modelProcesses()
        .list()
        .map((one) => one.projectId);
    await expect.poll(running, soon).toEqual([upstreamId]);
    await callRoute(cancelRoute, { method: "POST", params: { jobId }, as: admin });
    await expect.poll(() => statusOf(jobId), soon).toBe("Cancelled");
    await expect.poll(running, soon).toEqual([]);
  });

  it.each(["Reading the input", "Predicting"])("a scenario in stage %s", async (stage) => {
    const { projectId } = project;
    const uploadId = await upload(projectId, rowsFrom(1_000, 200_000));
    const { data } = await postScenario(project, { uploadId });
    await cancelAt(data.jobId, stage);
    expect<Partial<Scenario>>(await getScenario(project, data.scenarioId)).toMatchObject({
      status: "Cancelled",
      rowCount: null,
      summary: null,
    });
    expect((await folders(projectId)).filter((key) => key.includes("/input"))).toEqual([]);
    expect(await sql`select from uploads where id = ${uploadId}`).toHaveLength(1);
  });
});
