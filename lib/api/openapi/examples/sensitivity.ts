import type { GoalSeekResult } from "#lib/contract/goal-seek";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Sensitivity } from "#lib/contract/sensitivity";

const span = { from: "2026-02-01", to: "2026-02-28" };

export const sensitivity: Sensitivity = {
  change: "percent",
  rowCount: 28,
  evaluatedRows: 28,
  sample: "all",
  trainingRows: 1461,
  mean: 201.2,
  sum: 5633.6,
  omittedFeatures: 0,
  features: [
    {
      feature: "price",
      type: "number",
      sourceProjectId: null,
      effects: [
        {
          adjustment: { feature: "price", operation: "multiply", value: 0.9, ...span },
          meanDifference: 6.2,
          sumDifference: 173.6,
          trainingRows: null,
        },
        {
          adjustment: { feature: "price", operation: "multiply", value: 1.1, ...span },
          meanDifference: -5.9,
          sumDifference: -165.2,
          trainingRows: null,
        },
      ],
      values: { min: 4.2, max: 5.1, mean: 4.6 },
      curve: { values: [3, 4.5, 6], means: [219.4, 203.1, 178.8] },
      density: { from: 3, to: 6, counts: [210, 804, 447] },
    },
  ],
};

export const goalSeekResult: GoalSeekResult = {
  status: "reached",
  isProven: true,
  gap: 0,
  evaluatedSettings: 21,
  settings: 21,
  rowCount: 28,
  adjustments: [{ feature: "price", operation: "multiply", value: 0.94, ...span }],
  goal: 5738.1,
  constraints: [238.6],
  outside: [],
};

export const preview: ScenarioPreview = {
  rowCount: 2,
  timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"],
  saved: { values: [201.2, 198.4], lower: [188.1, 184.9], upper: [214.3, 211.9] },
  preview: { values: [195.3, 192.6], lower: [182.2, 179.1], upper: [208.4, 206.1] },
  summary: {
    mean: 193.95,
    min: 192.6,
    max: 195.3,
    sum: 387.9,
    first: 195.3,
    last: 192.6,
    sumInterval: { level: 0.9, lower: 368.4, upper: 407.4 },
    meanInterval: { level: 0.9, lower: 184.2, upper: 203.7 },
    generatedShare: null,
  },
  totalDifference: -11.7,
  totalDifferenceInterval: { level: 0.9, lower: -13.2, upper: -10.2 },
  differsAtLevel: 0.95,
  percentDifference: -2.93,
  changedRows: [2],
  explanation: {
    method: "exact",
    scale: "prediction",
    commonRows: 2,
    splitRows: 2,
    onlyInScenario: 0,
    onlyInBaseline: 0,
    baselineTotal: 399.6,
    scenarioTotal: 387.9,
    totalDifference: -11.7,
    parts: [{ kind: "input", feature: "price", projectId: null, total: -11.7, values: [-5.9, -5.8] }],
    timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"],
    differences: [-5.9, -5.8],
  },
};
