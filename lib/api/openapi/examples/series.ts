import type { Dataset } from "#lib/contract/datasets";
import type { Extrapolation } from "#lib/contract/extrapolation";
import type { GeneratedInputs } from "#lib/contract/generated-inputs";
import type { Prediction } from "#lib/contract/predictions";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { Contributions, PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import type { Scenario, ScenarioValidation, Summary } from "#lib/contract/scenarios";
import type { TargetSeries } from "#lib/contract/target-series";
import { ids } from "./ids.ts";

export const dataset: Dataset = {
  id: "0190f3c9-2f70-7a3c-9d1e-b3c4d5e6f708",
  fileName: "demand.csv",
  rowCount: 1461,
  columns: [
    {
      name: "date",
      type: "timestamp",
      role: "timestamp",
      min: 1643587200000,
      max: 1769817600000,
      mean: 1706702400000,
      median: 1706702400000,
      missing: 0,
      categories: null,
      histogram: null,
    },
    {
      name: "demand",
      type: "number",
      role: "target",
      min: 121.4,
      max: 318.2,
      mean: 204.6,
      median: 203.5,
      missing: 0,
      categories: null,
      histogram: null,
    },
  ],
  target: "demand",
  timestamp: ["date"],
  timezone: "UTC",
  missing: [],
  confirmed: [],
  numberFormats: [],
  dateOrder: null,
  frequency: "P1D",
  calendar: null,
  calendarOption: null,
  resample: null,
  monthDay: null,
  firstTimestamp: "2022-01-31T00:00:00.000Z",
  lastTimestamp: "2026-01-31T00:00:00.000Z",
  warnings: [],
  createdAt: "2026-01-31T08:00:00.000Z",
  createdBy: ids.user,
};

const summary: Summary = { mean: 201.2, min: 164.8, max: 233.9, sum: 5633.6, first: 205.1, last: 190.7 };

export const scenario: Scenario = {
  id: ids.scenario,
  projectId: ids.project,
  title: "Warm February",
  description: null,
  notes: "Assumes no new tariff before March.",
  tags: ["winter", "for the board"],
  color: "#3498db",
  checkpointId: ids.checkpoint,
  checkpointLabel: "Winter 2026",
  status: "Completed",
  jobId: ids.job,
  source: "Generated",
  fileName: null,
  endDate: "2026-02-28T00:00:00.000Z",
  baseScenarioId: null,
  adjustments: [],
  dependentProjectCheckpoints: { [ids.upstreamProject]: ids.upstreamCheckpoint },
  stalePins: [],
  rowCount: 28,
  firstTimestamp: "2026-02-01T00:00:00.000Z",
  lastTimestamp: "2026-02-28T00:00:00.000Z",
  summary,
  warnings: [],
  createdAt: "2026-02-01T07:00:00.120Z",
  createdBy: ids.user,
};

export const validation: ScenarioValidation = {
  valid: false,
  rowCount: 28,
  faults: [
    {
      row: 2,
      column: "temp",
      value: "abc",
      expected: "a number",
      code: "not_a_number",
      message: 'Row 2, column "temp": "abc" is not a number.',
    },
  ],
  warnings: [],
};

export const recipeValidation: ScenarioValidation = {
  valid: true,
  rowCount: 28,
  faults: [],
  warnings: [],
  changedRows: [7],
};

export const predictionRows: PredictionRow[] = [
  { row: 1, timestamp: "2026-02-01T00:00:00.000Z", prediction: 205.1, lower: 186.3, upper: 223.9 },
  { row: 2, timestamp: "2026-02-02T00:00:00.000Z", prediction: 211.8, lower: 193, upper: 230.6 },
];

export const scenarioRows: ScenarioRows = {
  rowCount: 28,
  columns: [
    { name: "date", type: "timestamp", computed: false },
    { name: "price", type: "number", computed: false },
    { name: "holiday", type: "boolean", computed: false },
    { name: "temperature_forecast", type: "number", computed: true },
  ],
  rows: [
    { ...predictionRows[0]!, input: ["2026-02-01T00:00:00.000Z", 4.2, false, 3.1] },
    { ...predictionRows[1]!, input: ["2026-02-02T00:00:00.000Z", 4.2, false, 2.4] },
  ],
};

export const predictionChart: PredictionChart = {
  rowCount: 28,
  timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-14T00:00:00.000Z", "2026-02-28T00:00:00.000Z"],
  values: [205.1, 233.9, 190.7],
  lower: [186.3, 212.5, 169.2],
  upper: [223.9, 255.3, 212.2],
};

export const bucketChart: PredictionChart = {
  rowCount: 28,
  timestamps: ["2026-01-26T00:00:00.000Z", "2026-02-02T00:00:00.000Z"],
  values: [205.1, 1_512.6],
  lower: [186.3, 1_455.2],
  upper: [223.9, 1_570],
  buckets: {
    unit: "week",
    aggregate: "sum",
    timezone: "UTC",
    complete: [false, true],
    from: "2026-02-01T00:00:00.000Z",
    to: "2026-02-28T00:00:00.000Z",
  },
  rowCounts: [1, 7],
  pointCount: 5,
  actual: [209.3, null],
};

export const contributions: Contributions = {
  rows: [1],
  method: "exact",
  scale: "prediction",
  baseValue: 204.6,
  features: ["date", "temperature_forecast"],
  values: [[-6.1, 6.6]],
  parts: {
    features: ["date", "temperature_forecast"],
    kinds: ["calendar", "input"],
    details: ["day of week", null],
    values: [[-6.1, 6.6]],
  },
  predictions: [205.1],
};

export const extrapolation: Extrapolation = {
  rowCount: 28,
  features: [
    {
      feature: "temperature_forecast",
      rows: 3,
      firstRow: 13,
      firstTimestamp: "2026-02-13T00:00:00.000Z",
      range: { least: -4.2, greatest: 16.4, trainedMin: -6.8, trainedMax: 14.9 },
      unseen: null,
    },
  ],
  spans: [
    {
      firstRow: 13,
      lastRow: 15,
      from: "2026-02-13T00:00:00.000Z",
      to: "2026-02-15T00:00:00.000Z",
      features: ["temperature_forecast"],
    },
  ],
};

export const generatedInputs: GeneratedInputs = {
  features: [
    {
      feature: "price",
      method: "waves of the year, the week, offset halving in 7 steps",
      error: 0.42,
      errorKind: "absolute",
      origins: 24,
      known: { timestamps: ["2026-01-30T00:00:00.000Z", "2026-01-31T00:00:00.000Z"], values: [4.9, 5.2] },
      generated: { timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"], values: [5.1, 5] },
    },
  ],
};

export const prediction: Prediction = {
  predictions: [205.1, 211.8],
  rowCount: 2,
  checkpointId: ids.checkpoint,
  modelName: "Gradient boosting",
  target: "demand",
  intervals: { level: 0.9, lower: [186.3, 193], upper: [223.9, 230.6] },
  warnings: [],
};

export const targetSeries: TargetSeries = {
  target: "demand",
  rowCount: 3,
  timestamps: ["2026-01-29T00:00:00.000Z", "2026-01-30T00:00:00.000Z", "2026-01-31T00:00:00.000Z"],
  rows: [1, 2, 3],
  values: [205.3, 210.4, null],
};
