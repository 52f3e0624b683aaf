import { channelOf } from "#lib/contract/channel";
import * as actuals from "./actuals.ts";
import * as comparisons from "./comparisons.ts";
import { ids } from "./ids.ts";
import * as objects from "./objects.ts";
import { goalSeekResult, preview, sensitivity } from "./sensitivity.ts";
import * as series from "./series.ts";

const accepted = { jobId: ids.job, status: "Pending" };
const createdKey = { ...objects.apiKey, lastUsedAt: null, key: "mps_7Kq2vR9xT4wLm1ZbC8nYd5HsJf0Gp31aX9kQ" };
const importMessage =
  'The file is valid. Creation of checkpoint "Winter 2026" from it was initiated. Its completion is notified over the real-time channel.';
const checkpointMessage =
  'Creation of checkpoint "Winter 2026" was initiated. Its completion is notified over the real-time channel.';

/** Example responses by operation ID: `data` of the envelope, or the whole body without an envelope. */
export const answerExamples: Record<string, Record<string, unknown>> = {
  listProjects: { projects: [objects.projectOverview] },
  createProject: {
    created: {
      ...objects.project,
      target: null,
      hasDataset: false,
      currentModel: null,
      defaultCheckpointId: null,
      dependencies: [],
    },
  },
  getProject: { project: objects.project },
  updateProject: { project: objects.project },
  deleteProject: {
    accepted: {
      message: 'Deletion of project "Energy" was initiated. Its data is removed in the background.',
      projectId: ids.project,
      jobId: ids.job,
    },
  },
  setDependencies: { project: objects.project },
  listAudit: { entries: [objects.auditEntry] },
  listAllAudit: { entries: [objects.auditEntry] },
  getDataset: { dataset: series.dataset },
  putDataset: { dataset: series.dataset },
  updateDataset: { dataset: series.dataset },
  appendDatasetRows: { dataset: series.dataset },
  getTargetSeries: { target: series.targetSeries },
  createUpload: { upload: { uploadId: ids.upload, bytes: 73400320 } },
  listModels: { models: [objects.model] },
  getCurrentModel: { model: objects.model },
  getModel: { model: objects.model },
  trainModel: { accepted },
  importModel: { accepted },
  predict: { prediction: series.prediction },
  listCheckpoints: { checkpoints: [objects.checkpoint] },
  getCheckpoint: { checkpoint: objects.checkpointDetail },
  createCheckpoint: {
    accepted: { message: checkpointMessage, checkpointId: ids.checkpoint, jobId: ids.job },
  },
  importCheckpoint: {
    accepted: { message: importMessage, checkpointId: ids.checkpoint, jobId: ids.job },
  },
  updateCheckpoint: { checkpoint: objects.checkpointDetail },
  deleteCheckpoint: {
    accepted: {
      message:
        'Deletion of checkpoint "Winter 2026" was initiated. Its artifacts are removed in the background.',
      checkpointId: ids.checkpoint,
      jobId: ids.job,
    },
  },
  listComparisons: { comparisons: [comparisons.savedComparison] },
  createComparison: { comparison: comparisons.savedComparison },
  getComparison: { comparison: comparisons.savedComparison },
  updateComparison: { comparison: comparisons.savedComparison },
  deleteComparison: { comparison: comparisons.savedComparison },
  listScenarios: { scenarios: [series.scenario] },
  getScenarioFilters: {
    filters: {
      tags: [{ tag: "winter", count: 4 }],
      authors: [{ id: ids.user, name: "Ada", count: 6 }],
    },
  },
  createScenario: { accepted: { ...accepted, scenarioId: ids.scenario, checkpointId: ids.checkpoint } },
  validateScenario: { issues: series.validation, recipe: series.recipeValidation },
  getScenario: { scenario: series.scenario },
  updateScenario: { scenario: series.scenario },
  deleteScenario: {
    accepted: {
      message: 'Deletion of scenario "Warm February" was initiated. Its data is removed in the background.',
      scenarioId: ids.scenario,
      jobId: ids.job,
    },
  },
  listPredictions: {
    rows: series.predictionRows,
    chart: series.predictionChart,
    buckets: series.bucketChart,
  },
  getModelChanges: { changes: actuals.modelChanges },
  getScenarioActuals: { arrived: actuals.scenarioActuals },
  getCheckpointRecord: { record: actuals.checkpointRecord },
  listScenarioRows: { rows: series.scenarioRows },
  explainPredictions: { contributions: series.contributions },
  compareScenarios: { comparison: comparisons.comparison },
  getExtrapolation: { outside: series.extrapolation },
  listExtrapolations: {
    outside: { scenarios: [{ scenarioId: ids.scenario, ...series.extrapolation }] },
  },
  getGeneratedInputs: { generated: series.generatedInputs },
  explainDifference: { difference: comparisons.difference },
  getLiveModel: { onlyTheService: { model: null } },
  getSensitivity: { sensitivity },
  previewScenario: { preview },
  seekGoal: { setting: goalSeekResult },
  listJobs: { jobs: [objects.job] },
  getJob: { job: objects.job },
  cancelJob: { job: { ...objects.job, status: "Cancelled", progress: 40 } },
  retryJob: { accepted },
  getRealtime: {
    connection: {
      key: "forkcast",
      host: "localhost",
      port: 6001,
      tls: false,
      channel: channelOf(ids.project),
    },
  },
  authorizeChannel: {
    signature: { auth: "forkcast:5f2d1c0b9a8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a392817065f4e" },
  },
  listApiKeys: { keys: [objects.listedApiKey] },
  createApiKey: { created: createdKey },
  rotateApiKey: { created: createdKey },
  revokeApiKey: { revoked: { ...objects.apiKey, revokedAt: "2026-02-01T12:00:00.000Z" } },
  getMe: {
    key: {
      kind: "api-key",
      userId: ids.user,
      name: null,
      email: null,
      role: null,
      apiKeyId: ids.apiKey,
      projectId: ids.project,
    },
  },
  listMembers: { members: [objects.listedMember] },
  createMember: { member: objects.member },
  updateMember: { member: objects.member },
  deleteMember: { removed: objects.member },
  createFirstAdmin: { admin: { ...objects.member, role: "admin" } },
  getOpenApi: {
    document: { openapi: "3.1.1", info: { title: "Model prediction service", version: "1.0.0" } },
  },
  signIn: {
    session: {
      redirect: false,
      token: "Xq3vB7nL9kT2mR5wY8zC1dF4gH6jK0pS",
      user: { id: ids.user, name: "Ada", email: "ada@example.com" },
    },
  },
  signOut: { done: { success: true } },
  getSession: {
    session: {
      session: { userId: ids.user, expiresAt: "2026-02-08T07:00:00.000Z" },
      user: { id: ids.user, name: "Ada", email: "ada@example.com" },
    },
    nobody: null,
  },
};
