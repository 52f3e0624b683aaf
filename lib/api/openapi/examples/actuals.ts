import type { CheckpointRecord, ForecastErrors, ModelChanges, ScenarioActuals } from "#lib/contract/actuals";
import { ids } from "./ids.ts";

const errors: ForecastErrors = {
  rows: 14,
  rmse: 9.84,
  mae: 7.61,
  bias: -1.32,
  coverage: 0.93,
  baseline: { rmse: 15.9, mae: 12.4 },
};

const points = {
  timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-14T00:00:00.000Z"],
  actual: [198.7, 228.4],
  predicted: [205.1, 233.9],
  lower: [186.3, 212.5],
  upper: [223.9, 255.3],
  baseline: [190.2, 241.7],
};

export const scenarioActuals: ScenarioActuals = {
  scenarioId: ids.scenario,
  target: "demand",
  rowCount: 28,
  knownUntil: "2026-02-14T00:00:00.000Z",
  learnedRows: 0,
  reason: null,
  baselineName: "seasonal naive, 7 steps",
  errors,
  ...points,
};

export const checkpointRecord: CheckpointRecord = {
  checkpointId: ids.checkpoint,
  target: "demand",
  madeUntil: "2026-01-31T00:00:00.000Z",
  knownUntil: "2026-02-14T00:00:00.000Z",
  horizon: 28,
  reason: null,
  baselineName: "seasonal naive, 7 steps",
  errors,
  validation: {
    rmse: 9.1,
    mae: 7.2,
    bias: 0.14,
    coverage: 0.91,
    baseline: { rmse: 14.8, mae: 11.9 },
  },
  period: "week",
  timezone: "UTC",
  periods: [{ from: "2026-02-09T00:00:00.000Z", to: "2026-02-16T00:00:00.000Z", ...errors, rows: 6 }],
  ...points,
};

export const modelChanges: ModelChanges = {
  modelId: ids.model,
  beforeId: "0190f3c9-1a20-7b3c-8d1e-a2b3c4d5e6f7",
  modelName: { before: "Ridge regression", after: "Gradient boosting" },
  trainingRows: { before: 1080, after: 1170 },
  knownUntil: { before: "2025-10-10T00:00:00.000Z", after: "2026-01-31T00:00:00.000Z" },
  validation: { before: { rmse: 14.1, mae: 10.8 }, after: { rmse: 12.4, mae: 9.6 } },
  sameRows: {
    from: "2025-04-15T00:00:00.000Z",
    to: "2026-01-31T00:00:00.000Z",
    before: { ...errors, rows: 292, rmse: 14.6, mae: 11.2 },
    after: { ...errors, rows: 292, rmse: 12.4, mae: 9.6 },
  },
  reason: null,
  features: { added: ["temperature_forecast"], removed: [] },
  importance: [{ feature: "temperature_forecast", before: null, after: 0.61 }],
  settings: [{ name: "algorithm", before: "ridge", after: "auto" }],
};
