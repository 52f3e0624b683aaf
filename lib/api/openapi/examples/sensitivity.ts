import type { GoalSeekResult } from "#lib/contract/goal-seek";
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
          ...{ meanDifference: 6.2, sumDifference: 173.6, trainingRows: null },
        },
        {
          adjustment: { feature: "price", operation: "multiply", value: 1.1, ...span },
          ...{ meanDifference: -5.9, sumDifference: -165.2, trainingRows: null },
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
