import { buffer } from "node:stream/consumers";
import type { JobType } from "#lib/contract/jobs";
import { createCheckpoint } from "#lib/domain/checkpoints/create-checkpoint";
import { deleteCheckpoint } from "#lib/domain/checkpoints/delete-checkpoint";
import { exportCheckpoint } from "#lib/domain/checkpoints/export-checkpoint";
import { importCheckpoint } from "#lib/domain/checkpoints/import-checkpoint";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { requestImport } from "#lib/domain/models/request-import";
import { requestTraining } from "#lib/domain/models/request-training";
import { deleteProject } from "#lib/domain/projects/delete-project";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { createKey, createProject, testContext } from "./api.ts";
import type { FaultPoint } from "./fault-points.ts";
import { createModel } from "./model-factory.ts";
import { createReadyCheckpoint, datasetCsv, inputCsv } from "./populated-project.ts";
import { runJobHere } from "./run-jobs.ts";
import { base64, postScenario, type TrainedProject } from "./scenario-factory.ts";

/** A project, and a function that requests a job in the project. */
export type JobOrder = {
  project: TrainedProject;
  order(): Promise<{ jobId: string }>;
  /** Input that the project's model can predict, if its columns are not those of `createModel`. */
  input?: object;
  /** Expects what must hold at any moment besides `expectWhole`. */
  expectKept?(): Promise<void>;
};

/** Creates a project for a job of the type that passes the fault point. The project has no other pending job. */
export async function prepareJob(type: JobType, point?: FaultPoint): Promise<JobOrder> {
  const { id: projectId } = await createProject();
  const project = { projectId, as: await createKey({ projectId }) };
  await createModel({ projectId });
  const ctx = testContext();
  const order = await orders[type](project, point);
  return { project, order: () => order(ctx) };
}

type Order = (ctx: ReturnType<typeof testContext>) => Promise<{ jobId: string }>;

const orders: Record<JobType, (project: TrainedProject, point?: FaultPoint) => Promise<Order>> = {
  async CreateCheckpoint({ projectId }, point) {
    if (point !== "file tried") return (ctx) => createCheckpoint(ctx, { projectId });
    const checkpointId = await createReadyCheckpoint(projectId);
    const { content } = await exportCheckpoint(testContext(), { projectId, checkpointId });
    const fileData = (await buffer(content)).toString("base64");
    return (ctx) => importCheckpoint(ctx, { projectId, fileData, label: "From a file" });
  },

  async CreateScenario(project) {
    return async () => {
      const answer = await postScenario(project, { checkpointLabel: "New", fileData: base64(inputCsv) });
      if (answer.status !== 202) throw new Error(answer.text);
      return answer.data;
    };
  },

  async DeleteCheckpoint({ projectId }) {
    const checkpointId = await createReadyCheckpoint(projectId);
    return (ctx) => deleteCheckpoint(ctx, { projectId, checkpointId });
  },

  async DeleteProject({ projectId }) {
    await createReadyCheckpoint(projectId);
    return (ctx) => deleteProject(ctx, { projectId });
  },

  async DeleteScenario(project) {
    const { projectId } = project;
    const body = { checkpointLabel: "New", fileData: base64(inputCsv) };
    const { scenarioId, jobId } = (await postScenario(project, body)).data;
    await runJobHere(jobId);
    return (ctx) => deleteScenario(ctx, { projectId, scenarioId });
  },

  async ImportModel({ projectId }) {
    const [coefficients, means] = [Float64Array.of(3, 2), Float64Array.of(0, 0)];
    const onnx = linearToOnnx({ kind: "linear", coefficients, intercept: 1, means }, {});
    const request = {
      modelName: "From elsewhere",
      fileData: Buffer.from(onnx).toString("base64"),
      target: "demand",
      targetMetric: "mae" as const,
      inputs: [{ feature: "temp" }, { feature: "wind" }],
      labelledRows: base64(datasetCsv),
    };
    return (ctx) => requestImport(ctx, { projectId, request });
  },

  async TrainModel({ projectId }) {
    const rows = Array.from({ length: 60 }, (_, row) => `${row % 7},${row % 5},${3 * (row % 7) + (row % 5)}`);
    const csv = `temp,wind,demand\n${rows.join("\n")}\n`;
    await putDataset(testContext(), { projectId, fileData: base64(csv), target: "demand" });
    return (ctx) => requestTraining(ctx, { projectId, request: { algorithm: "ridge" } });
  },
};
