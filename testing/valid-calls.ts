import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { cancelJob } from "#lib/domain/jobs/cancel-job";
import { createComparisonLink } from "#lib/domain/saved-comparisons/comparison-link";
import { newId } from "#lib/platform/ids/new-id";
import { createProject, createUser, testContext } from "./api.ts";
import {
  exportedFile,
  type MakeCall,
  newKey,
  newMember,
  newOverride,
  newProjectMember,
  newWebhook,
  ofCheckpoint,
  ofComparison,
  ofDelivery,
  ofOldVersion,
  ofProject,
  ofScenario,
  ofTimedScenario,
  ofVersion,
  ofWebhook,
  oneMember,
  oneOverride,
  oneProjectMember,
  override,
  send,
  sharing,
} from "./call-parts.ts";
import {
  createCompletedScenario,
  createCsvUpload,
  createReadyCheckpoint,
  createWaitingScenario,
  datasetCsv,
  deleteSpareWebhooks,
  inputCsv,
  saveComparison,
  webhook,
} from "./populated-project.ts";
import { base64 } from "./scenario-factory.ts";

/**
 * Valid call of every route. It succeeds for every caller with the permission, any number of times. The functions
 * create the objects that a call deletes or ends.
 */
export const validCalls: Record<string, MakeCall> = {
  "GET /api/v1/audit": () => ({}),
  "GET /api/v1/jobs/{jobId}": ({ jobId }) => ({ params: { jobId } }),
  "GET /api/v1/jobs/{jobId}/mail": ({ jobId }) => ({ params: { jobId } }),
  "POST /api/v1/jobs/{jobId}/mail": ({ jobId }) => ({ params: { jobId }, body: { whenEnded: false } }),
  "POST /api/v1/jobs/{jobId}/cancel": async (own) => ({
    params: { jobId: (await createWaitingScenario(own)).jobId },
  }),
  "POST /api/v1/jobs/{jobId}/retry": async (own) => {
    const { jobId } = await createWaitingScenario(own);
    await cancelJob(testContext(), { jobId }, abandonOf);
    return { params: { jobId } };
  },
  "GET /api/v1/jobs/project/{projectId}": ofProject,
  "GET /api/v1/me": () => ({}),
  "POST /api/v1/me/password": () => ({
    body: { currentPassword: "correct horse battery", newPassword: "correct horse battery" },
  }),
  "GET /api/v1/me/sessions": () => ({}),
  "POST /api/v1/me/sessions/end": () => ({ body: {} }),
  "GET /api/v1/members/{userId}": oneMember,
  "PATCH /api/v1/members/{userId}": send({ name: "Cy" }, newMember),
  "DELETE /api/v1/members/{userId}": newMember,
  "GET /api/v1/members": () => ({}),
  "POST /api/v1/members": () => ({
    body: { name: "Di", email: `${newId()}@example.com`, password: "battery staple" },
  }),
  "GET /api/v1/openapi.json": () => ({}),
  "POST /api/v1/projects/{projectId}/api-keys/{keyId}/rotate": send({ overlapSeconds: 60 }, newKey),
  "GET /api/v1/projects/{projectId}/api-keys/{keyId}": ({ projectId, keyId }) => ({
    params: { projectId, keyId },
  }),
  "DELETE /api/v1/projects/{projectId}/api-keys/{keyId}": newKey,
  "GET /api/v1/projects/{projectId}/api-keys": ofProject,
  "POST /api/v1/projects/{projectId}/api-keys": send({ name: "Another" }),
  "GET /api/v1/projects/{projectId}/webhooks": ofProject,
  "POST /api/v1/projects/{projectId}/webhooks": async (own) => {
    await deleteSpareWebhooks(own);
    return { params: { projectId: own.projectId }, body: webhook };
  },
  "GET /api/v1/projects/{projectId}/webhooks/{webhookId}": ofWebhook,
  "PATCH /api/v1/projects/{projectId}/webhooks/{webhookId}": send({ events: ["model-trained"] }, ofWebhook),
  "DELETE /api/v1/projects/{projectId}/webhooks/{webhookId}": newWebhook,
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/rotate": send({ overlapSeconds: 60 }, ofWebhook),
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/test": ofWebhook,
  "GET /api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries": ofWebhook,
  "POST /api/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/resend": ofDelivery,
  "POST /api/v1/projects/{projectId}/deliveries/{deliveryId}/resend": ofDelivery,
  "GET /api/v1/projects/{projectId}/members": ofProject,
  "POST /api/v1/projects/{projectId}/members": async ({ projectId }) => ({
    params: { projectId },
    body: { userId: (await createUser({ role: "analyst" })).id, role: "viewer" },
  }),
  "GET /api/v1/projects/{projectId}/members/{userId}": oneProjectMember,
  "PATCH /api/v1/projects/{projectId}/members/{userId}": send({ role: "analyst" }, newProjectMember),
  "DELETE /api/v1/projects/{projectId}/members/{userId}": newProjectMember,
  "GET /api/v1/projects/{projectId}/audit": ofProject,
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}/record": ofCheckpoint,
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}": ofCheckpoint,
  "PUT /api/v1/projects/{projectId}/checkpoints/{checkpointId}": send({ description: "Good" }, ofCheckpoint),
  "DELETE /api/v1/projects/{projectId}/checkpoints/{checkpointId}": async ({ projectId }) => ({
    params: { projectId, checkpointId: await createReadyCheckpoint(projectId) },
  }),
  "GET /api/v1/projects/{projectId}/checkpoints/{checkpointId}/export": ofCheckpoint,
  "POST /api/v1/projects/{projectId}/checkpoints/import": async ({ projectId, checkpointId }) => ({
    params: { projectId },
    body: { fileData: await exportedFile({ projectId, checkpointId }) },
  }),
  "GET /api/v1/projects/{projectId}/checkpoints": ofProject,
  "POST /api/v1/projects/{projectId}/checkpoints": send({}),
  "GET /api/v1/projects/{projectId}/comparisons/{comparisonId}": ofComparison,
  "PATCH /api/v1/projects/{projectId}/comparisons/{comparisonId}": send({ name: "Renamed" }, ofComparison),
  "DELETE /api/v1/projects/{projectId}/comparisons/{comparisonId}": async (own) => ({
    params: { projectId: own.projectId, comparisonId: await saveComparison(own) },
  }),
  "GET /api/v1/projects/{projectId}/comparisons/{comparisonId}/link": sharing(ofComparison),
  "POST /api/v1/projects/{projectId}/comparisons/{comparisonId}/link": sharing(
    send({ expiresInDays: 7 }, ofComparison),
  ),
  "POST /api/v1/projects/{projectId}/comparisons/{comparisonId}/link/end": sharing(async (own) => {
    await createComparisonLink(testContext(), own);
    return ofComparison(own);
  }),
  "POST /api/v1/shared-comparison": sharing(async (own) => ({
    body: { token: (await createComparisonLink(testContext(), own)).token },
  })),
  "GET /api/v1/projects/{projectId}/comparisons": ofProject,
  "POST /api/v1/projects/{projectId}/comparisons": ({ projectId, scenarioId, otherScenarioId }) => ({
    params: { projectId },
    body: { name: "New", scenarioIds: [scenarioId, otherScenarioId] },
  }),
  "GET /api/v1/projects/{projectId}/dataset": ofProject,
  "PUT /api/v1/projects/{projectId}/dataset": send({ fileData: base64(datasetCsv), target: "demand" }),
  "PATCH /api/v1/projects/{projectId}/dataset": send({ exclude: [] }),
  "GET /api/v1/projects/{projectId}/dataset/target": ofProject,
  "GET /api/v1/projects/{projectId}/dataset/rows": ofProject,
  "PATCH /api/v1/projects/{projectId}/dataset/rows": send({ set: [{ row: 1, values: { demand: 9 } }] }),
  "POST /api/v1/projects/{projectId}/dataset/rows": send({ fileData: base64(datasetCsv) }),
  "GET /api/v1/projects/{projectId}/series": ofProject,
  "GET /api/v1/projects/{projectId}/dataset/versions": ofProject,
  "DELETE /api/v1/projects/{projectId}/dataset/versions/{versionId}": ofOldVersion,
  "GET /api/v1/projects/{projectId}/dataset/versions/{versionId}/changes": ofVersion,
  "POST /api/v1/projects/{projectId}/dataset/versions/{versionId}/restore": ofVersion,
  "PUT /api/v1/projects/{projectId}/dependencies": ({ projectId, dependencies }) => ({
    params: { projectId },
    body: { dependencies },
  }),
  "GET /api/v1/projects/{projectId}/models/{modelId}": ({ projectId, modelId }) => ({
    params: { projectId, modelId },
  }),
  "GET /api/v1/projects/{projectId}/models/{modelId}/changes": ({ projectId, modelId }) => ({
    params: { projectId, modelId },
  }),
  "GET /api/v1/projects/{projectId}/models/current": ofProject,
  "POST /api/v1/projects/{projectId}/models/import": async ({ projectId }) => ({
    params: { projectId },
    body: { modelName: "M", target: "demand", targetMetric: "rmse", fileData: base64("a model") },
  }),
  "GET /api/v1/projects/{projectId}/models": ofProject,
  "POST /api/v1/projects/{projectId}/models/train": send({}),
  "POST /api/v1/projects/{projectId}/predict": send({ input: { temp: [1], wind: [2] } }),
  "GET /api/v1/projects/{projectId}": ofProject,
  "PATCH /api/v1/projects/{projectId}": send({ description: "Ours" }),
  "DELETE /api/v1/projects/{projectId}": async () => ({ params: { projectId: (await createProject()).id } }),
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/difference": async (own) => ({
    ...(await ofScenario(own)),
    query: { baselineId: own.otherScenarioId },
  }),
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/actuals": ofScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/outlook": ofTimedScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/stability": ofScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides": oneOverride,
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides": send(override, ofTimedScenario),
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides/{overrideId}": oneOverride,
  "DELETE /api/v1/projects/{projectId}/scenarios/{scenarioId}/overrides/{overrideId}": newOverride,
  "DELETE /api/v1/projects/{projectId}/overrides/{overrideId}": newOverride,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/extrapolation": ofScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/generated-inputs": ofScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/predictions/contributions": async (own) => ({
    ...(await ofScenario(own)),
    query: { rows: "1" },
  }),
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/predictions": ofScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/rows": ofScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/runs": ofScenario,
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/runs": async (own) => ({
    params: { projectId: own.projectId, scenarioId: (await createCompletedScenario(own)).id },
    body: {},
  }),
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/goal-seek": send(
    {
      levers: [{ feature: "temp", operation: "add", min: -1, max: 1, step: 1 }],
      goal: { statistic: "sum", relation: "equal", value: 100 },
    },
    ofScenario,
  ),
  "POST /api/v1/projects/{projectId}/scenarios/{scenarioId}/preview": send(
    { adjustments: [{ feature: "temp", operation: "add", value: 1 }] },
    ofScenario,
  ),
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/sensitivity": ofScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}/live-model": ofScenario,
  "GET /api/v1/projects/{projectId}/scenarios/{scenarioId}": ofScenario,
  "PATCH /api/v1/projects/{projectId}/scenarios/{scenarioId}": send({ title: "Renamed" }, ofScenario),
  "DELETE /api/v1/projects/{projectId}/scenarios/{scenarioId}": async (own) => ({
    params: { projectId: own.projectId, scenarioId: (await createWaitingScenario(own)).scenarioId },
  }),
  "GET /api/v1/projects/{projectId}/scenarios/compare": ({ projectId, scenarioId, otherScenarioId }) => ({
    params: { projectId },
    query: { ids: `${scenarioId},${otherScenarioId}` },
  }),
  "GET /api/v1/projects/{projectId}/scenarios/filters": ofProject,
  "GET /api/v1/projects/{projectId}/scenarios/template": ofProject,
  "GET /api/v1/projects/{projectId}/scenarios/extrapolation": ({ projectId, scenarioId }) => ({
    params: { projectId },
    query: { ids: scenarioId },
  }),
  "GET /api/v1/projects/{projectId}/scenarios": ofProject,
  "POST /api/v1/projects/{projectId}/scenarios": ({ projectId, checkpointId, pinnedCheckpoints }) => ({
    params: { projectId },
    body: {
      title: "New",
      checkpointId,
      fileData: base64(inputCsv),
      dependentProjectCheckpoints: pinnedCheckpoints,
    },
  }),
  "POST /api/v1/projects/{projectId}/scenarios/validate": send({ fileData: base64(inputCsv) }),
  "GET /api/v1/projects/{projectId}/decisions": ofProject,
  "GET /api/v1/projects/{projectId}/space": ofProject,
  "GET /api/v1/projects/{projectId}/track-record": ofProject,
  "GET /api/v1/projects/{projectId}/uploads": ofProject,
  "POST /api/v1/projects/{projectId}/uploads": send(inputCsv),
  "DELETE /api/v1/projects/{projectId}/uploads/{uploadId}": async ({ projectId }) => ({
    params: { projectId, uploadId: await createCsvUpload(projectId) },
  }),
  "GET /api/v1/projects": () => ({}),
  "POST /api/v1/projects": () => ({ body: { name: "New" } }),
  "POST /api/v1/realtime/auth": ({ projectId }) => ({
    body: `socket_id=1.1&channel_name=private-project-${projectId}`,
  }),
  "GET /api/v1/realtime": ({ projectId }) => ({ query: { projectId } }),
  "POST /api/v1/setup": () => ({
    body: { name: "Ada", email: `${newId()}@example.com`, password: "battery staple" },
  }),
};
