import { importCheckpoint } from "#lib/domain/checkpoints/import-checkpoint";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { linearToOnnx } from "#lib/engine/onnx/write-model";
import { createKey, createProject, createUser, testContext } from "./api.ts";
import type { MakeCall } from "./call-parts.ts";
import { createModel } from "./model-factory.ts";
import { createCompletedScenario, createReadyCheckpoint, inputCsv } from "./populated-project.ts";
import { dailyTemperature } from "./sample-series.ts";
import { base64, createTrainedProject, postScenario } from "./scenario-factory.ts";
import { validCalls } from "./valid-calls.ts";

/** Creates a project with a model and without checkpoints. */
async function projectWithModel(): Promise<{ projectId: string }> {
  const { id: projectId } = await createProject();
  await createModel({ projectId });
  return { projectId };
}

/** Creates a scenario that waits for its job, with a new checkpoint. */
async function scenarioOnNewCheckpoint(): Promise<{ projectId: string; jobId: string; scenarioId: string }> {
  const { projectId } = await projectWithModel();
  const as = await createKey({ projectId });
  const { data } = await postScenario({ projectId, as }, { fileData: base64(inputCsv) });
  return { projectId, ...data };
}

async function cancelledJob(jobId: string): Promise<{ params: { jobId: string } }> {
  await cancelJob(testContext(), { jobId }, abandonOf);
  return { params: { jobId } };
}

/** y = 3 x + 1. */
const linear = linearToOnnx(
  { kind: "linear", coefficients: Float64Array.of(3), intercept: 1, means: Float64Array.of(0) },
  {},
);

/** Calls by route, beside `validCalls`, that write further entries to the audit log and further events. */
export const furtherCalls: Record<string, MakeCall[]> = {
  "PUT /api/v1/projects/{projectId}/checkpoints/{checkpointId}": [
    async ({ projectId }) => ({
      params: { projectId, checkpointId: await createReadyCheckpoint(projectId) },
      body: { setAsDefault: true },
    }),
  ],
  "DELETE /api/v1/projects/{projectId}/checkpoints/{checkpointId}": [
    async () => {
      const { projectId } = await projectWithModel();
      const checkpointId = await createReadyCheckpoint(projectId);
      await createReadyCheckpoint(projectId);
      return { params: { projectId, checkpointId } };
    },
    async () => {
      const { projectId } = await projectWithModel();
      return { params: { projectId, checkpointId: await createReadyCheckpoint(projectId) } };
    },
  ],
  "POST /api/v1/projects/{projectId}/checkpoints": [
    async () => ({ params: await projectWithModel(), body: {} }),
  ],
  "POST /api/v1/projects/{projectId}/scenarios": [
    async () => ({
      params: await projectWithModel(),
      body: { title: "On a new checkpoint", fileData: base64(inputCsv) },
    }),
  ],
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/runs": [
    async (own) => {
      const { id: scenarioId } = await createCompletedScenario(own);
      await createModel({ projectId: own.projectId });
      return { params: { projectId: own.projectId, scenarioId }, body: { checkpointId: "current" } };
    },
  ],
  "DELETE /api/v1/projects/{projectId}/scenarios/{scenarioId}": [
    async () => {
      const { projectId, scenarioId } = await scenarioOnNewCheckpoint();
      return { params: { projectId, scenarioId } };
    },
  ],
  "POST /api/v1/jobs/{jobId}/cancel": [
    async () => ({ params: { jobId: (await scenarioOnNewCheckpoint()).jobId } }),
  ],
  "POST /api/v1/jobs/{jobId}/retry": [
    async () => cancelledJob((await scenarioOnNewCheckpoint()).jobId),
    async (own) => {
      const route = "POST /api/v1/projects/{projectId}/checkpoints/import";
      const { fileData } = (await validCalls[route]!(own)).body as { fileData: string };
      const { projectId } = own;
      return cancelledJob((await importCheckpoint(testContext(), { projectId, fileData })).jobId);
    },
  ],
  "POST /api/v1/projects/{projectId}/models/train": [
    async () => {
      const csv = dailyTemperature(60);
      const { projectId } = await createTrainedProject({ csv, target: "temp", timestamp: "day" });
      return { params: { projectId }, body: { algorithm: "ridge" } };
    },
  ],
  "POST /api/v1/projects/{projectId}/models/import": [
    async () => ({
      params: { projectId: (await createProject()).id },
      body: {
        modelName: "Linear",
        target: "y",
        targetMetric: "mae",
        inputs: [{ feature: "x" }],
        fileData: Buffer.from(linear).toString("base64"),
      },
    }),
  ],
  "PATCH /api/v1/members/{userId}": [
    async () => ({
      params: { userId: (await createUser({ role: "analyst" })).id },
      body: { disabled: true },
    }),
    async () => ({
      params: { userId: (await createUser({ role: "analyst" })).id },
      body: { disabled: false },
    }),
  ],
  "DELETE /api/v1/members/{userId}": [
    async ({ projectId }) => {
      const { id: userId } = await createUser({ role: "analyst" });
      await createKey({ projectId, createdBy: userId });
      return { params: { userId }, query: { revokeApiKeys: "true" } };
    },
  ],
};
