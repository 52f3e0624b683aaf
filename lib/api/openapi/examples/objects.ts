import type { ApiKey, ListedApiKey } from "#lib/contract/api-keys";
import type { AuditEntry } from "#lib/contract/audit";
import type { Checkpoint, CheckpointDetail } from "#lib/contract/checkpoints";
import type { Job } from "#lib/contract/jobs";
import type { ListedMember, Member } from "#lib/contract/members";
import type { FeatureEngineering, InputFeature, Model, TrainingMetrics } from "#lib/contract/models";
import type { Project, ProjectOverview } from "#lib/contract/projects";
import type { EventPayload } from "#lib/contract/realtime";
import { ids } from "./ids.ts";

export const project: Project = {
  id: ids.project,
  name: "Energy",
  description: "Daily demand of the whole city",
  target: "demand",
  hasDataset: true,
  currentModel: {
    id: ids.model,
    modelName: "Gradient boosting",
    targetMetric: "rmse",
    primaryMetricValue: 12.4,
    trainedAt: "2026-01-31T08:15:02.114Z",
  },
  defaultCheckpointId: ids.checkpoint,
  dependencies: [{ projectId: ids.upstreamProject, featureName: "temperature_forecast" }],
  display: { demand: { displayName: "Demand", unit: "MWh", decimals: 1 } },
  units: { price: "€" },
  createdAt: "2026-01-12T09:30:00.000Z",
  createdBy: ids.user,
};

const { display: _display, units: _units, ...listed } = project;
export const projectOverview: ProjectOverview = {
  ...listed,
  defaultCheckpointLabel: "Winter 2026",
  lastScenario: {
    id: ids.scenario,
    title: "Warm February",
    color: "#3498db",
    status: "Completed",
    createdAt: "2026-01-31T09:00:00.000Z",
  },
  openJobs: 1,
};

const inputFeatures: InputFeature[] = [
  {
    name: "date",
    type: "timestamp",
    role: "timestamp",
    required: true,
    min: 1640995200000,
    max: 1769817600000,
    mean: 1705406400000,
    median: 1705406400000,
    missing: 0,
    categories: null,
    sourceProjectId: null,
  },
  {
    name: "temperature_forecast",
    type: "number",
    role: "upstream",
    required: false,
    min: -9.4,
    max: 34.1,
    mean: 11.2,
    median: 10.9,
    missing: 0,
    categories: null,
    sourceProjectId: ids.upstreamProject,
  },
];

const trainingMetrics: TrainingMetrics = {
  train: { rmse: 8.1, mae: 6.2, mape: 3.1, r2: 0.97 },
  validation: { rmse: 12.4, mae: 9.6, mape: 4.4, r2: 0.93 },
  baseline: { rmse: 27.9, mae: 21.3, mape: 10.2, r2: 0.65 },
};

const featureEngineering: FeatureEngineering = {
  version: 1,
  steps: [
    { op: "calendar", field: "weekday", encoding: "number" },
    { op: "upstream", feature: "temperature_forecast", sourceProjectId: ids.upstreamProject, fill: null },
    { op: "lag", steps: 7, fill: 203.5 },
  ],
  rowsBuildOnEachOther: true,
  readsTarget: true,
  inputFormat: {
    timestampColumns: ["date"],
    timezone: "Europe/Berlin",
    dateOrder: null,
    missing: ["n/a"],
    numberFormats: [],
  },
};

export const checkpoint: Checkpoint = {
  id: ids.checkpoint,
  projectId: ids.project,
  label: "Winter 2026",
  description: "Before the new tariff",
  createdAt: "2026-01-31T08:20:41.007Z",
  createdBy: ids.user,
  isDefault: true,
  linkedCheckpointId: null,
  modelId: ids.model,
  modelName: "Gradient boosting",
  primaryMetricValue: 12.4,
  targetMetric: "rmse",
};

export const checkpointDetail: CheckpointDetail = {
  ...checkpoint,
  trainingMetrics,
  inputFeatures,
  featureEngineering,
  modelFormat: "onnx",
  artifactBytes: 184320,
  sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  trainedAt: "2026-01-31T08:15:02.114Z",
  trainingRows: 1170,
  usedByScenarios: 1,
  folderName: "winter-2026",
  dependentProjectCheckpoints: { [ids.upstreamProject]: ids.upstreamCheckpoint },
};

export const job: Job = {
  id: ids.job,
  projectId: ids.project,
  type: "CreateScenario",
  status: "Completed",
  progress: 100,
  stage: null,
  message: null,
  rows: { total: 28, processed: 28 },
  scenarioId: ids.scenario,
  checkpointId: ids.checkpoint,
  modelId: null,
  error: null,
  outputOptions: null,
  attempt: 1,
  retryOf: null,
  createdBy: ids.user,
  createdAt: "2026-02-01T07:00:00.120Z",
  startedAt: "2026-02-01T07:00:00.480Z",
  finishedAt: "2026-02-01T07:00:02.351Z",
};

export const model: Model = {
  id: ids.model,
  projectId: ids.project,
  modelName: "Gradient boosting",
  algorithm: "gradient_boosting",
  source: "trained",
  isCurrent: true,
  target: "demand",
  targetMetric: "rmse",
  primaryMetricValue: 12.4,
  trainingMetrics,
  inputFeatures,
  featureEngineering,
  importance: [
    { feature: "temperature_forecast", gain: 0.61, permutation: 9.8 },
    {
      feature: "date",
      gain: 0.39,
      parts: [
        { detail: "day of week", gain: 0.26 },
        { detail: "month", gain: 0.13 },
      ],
      permutation: 6.1,
    },
  ],
  validation: {
    timestamps: ["2026-01-30T00:00:00.000Z", "2026-01-31T00:00:00.000Z"],
    rows: [1460, 1461],
    actual: [210.4, 198.7],
    predicted: [207.9, 201.2],
  },
  leaderboard: [
    {
      name: "Gradient boosting",
      algorithm: "gradient_boosting",
      features: "direct lags",
      chosen: true,
      settings: { maxLeaves: 31, rounds: 412 },
      mode: "direct",
      horizon: 28,
      rung: 3,
      backTest: { metric: "rmse", folds: [13.9, 12.2, 12.9], mean: 13, spread: 0.7 },
      validation: { rmse: 12.4 },
      seconds: 3.4,
    },
    {
      name: "Combination",
      algorithm: "combination",
      features: "inputs and target history",
      chosen: false,
      settings: { methods: "ETS(A,N,A); Theta, seasonally adjusted" },
      mode: "direct",
      horizon: 28,
      rung: 3,
      backTest: { metric: "rmse", folds: [14.8, 13.1, 15.2], mean: 14.4, spread: 0.9 },
      members: [
        { name: "ETS(A,N,A)", weight: 0.5, error: 14.9 },
        { name: "Theta, seasonally adjusted", weight: 0.5, error: 15.6 },
      ],
      validation: { rmse: 14.2 },
      seconds: 1.1,
    },
  ],
  coverage: 0.91,
  warnings: [],
  modelFormat: "onnx",
  artifactBytes: 184320,
  trainedAt: "2026-01-31T08:15:02.114Z",
  trainingRows: 1170,
  datasetRows: 1461,
  datasetFrequency: "P1D",
  request: { algorithm: "auto", features: { lags: [1, 7] } },
  createdBy: ids.user,
};

export const apiKey: ApiKey = {
  id: ids.apiKey,
  name: "Nightly forecast",
  prefix: "mps_7Kq2",
  createdAt: "2026-01-31T09:00:00.000Z",
  createdBy: ids.user,
  lastUsedAt: "2026-02-01T07:00:00.000Z",
  expiresAt: "2027-01-01T00:00:00.000Z",
  revokedAt: null,
};

export const listedApiKey: ListedApiKey = {
  ...apiKey,
  createdByRemoved: false,
  requests: Array.from({ length: 14 }, (_, day) => ({
    day: new Date(Date.UTC(2026, 0, 18 + day)).toISOString().slice(0, 10),
    count: 24 * day,
  })),
};

export const member: Member = {
  id: ids.user,
  name: "Ada",
  email: "ada@example.com",
  role: "analyst",
  disabledAt: null,
  createdAt: "2026-01-12T09:00:00.000Z",
};

export const listedMember: ListedMember = { ...member, activeApiKeys: 2 };

export const auditEntry: AuditEntry = {
  id: "0190f3d2-6511-7d55-8a4b-a2b3c4d5e6f7",
  at: "2026-01-31T08:20:41.007Z",
  projectId: ids.project,
  projectName: "Energy",
  actorId: ids.user,
  actorName: "Ada",
  apiKeyId: null,
  action: "checkpoint.created",
  entityType: "checkpoint",
  entityId: ids.checkpoint,
  label: "Winter 2026",
  requestId: ids.request,
};

export const event: EventPayload = {
  eventId: ids.event,
  projectId: ids.project,
  entityId: ids.scenario,
  jobId: ids.job,
  status: "Completed",
  label: "Warm February",
  occurredAt: "2026-02-01T07:00:02.351Z",
};
export const eventOfJob: EventPayload = { ...event, entityId: ids.job, label: "CreateScenario" };
