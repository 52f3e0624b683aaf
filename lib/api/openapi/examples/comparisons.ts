import type { SavedComparison } from "#lib/contract/saved-comparisons";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison } from "#lib/contract/scenario-series";
import { ids } from "./ids.ts";

export const comparison: Comparison = {
  baselineId: ids.otherScenario,
  scenarios: [
    {
      id: ids.scenario,
      title: "Warm February",
      color: "#3498db",
      checkpointId: ids.checkpoint,
      checkpointLabel: "Winter 2026",
      rowCount: 2,
      summary: { mean: 208.45, min: 205.1, max: 211.8, sum: 416.9, first: 205.1, last: 211.8 },
    },
    {
      id: ids.otherScenario,
      title: "Cold February",
      color: "#c2185b",
      checkpointId: ids.checkpoint,
      checkpointLabel: "Winter 2026",
      rowCount: 2,
      summary: { mean: 226.8, min: 222.4, max: 231.2, sum: 453.6, first: 222.4, last: 231.2 },
    },
  ],
  timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"],
  pointCount: 2,
  series: [
    {
      scenarioId: ids.scenario,
      values: [205.1, 211.8],
      lower: [186.3, 193],
      upper: [223.9, 230.6],
      differences: [-17.3, -19.4],
      cumulative: [-17.3, -36.7],
      rowCount: 2,
      summary: {
        mean: 208.45,
        min: 205.1,
        max: 211.8,
        sum: 416.9,
        first: 205.1,
        last: 211.8,
        sumInterval: { level: 0.9, lower: 384.3, upper: 449.5 },
        meanInterval: { level: 0.9, lower: 192.15, upper: 224.75 },
        generatedShare: 0.42,
        sumLevels: [{ level: 0.5, lower: 404.4, upper: 429.4 }],
        meanLevels: [{ level: 0.5, lower: 202.2, upper: 214.7 }],
      },
      totalDifference: -36.7,
      totalDifferenceInterval: { level: 0.9, lower: -44.1, upper: -29.3 },
      differsAtLevel: 0.95,
      percentDifference: -8.1,
    },
    {
      scenarioId: ids.otherScenario,
      values: [222.4, 231.2],
      lower: [203.6, 212.4],
      upper: [241.2, 250],
      differences: [0, 0],
      cumulative: [0, 0],
      totalDifference: 0,
      percentDifference: 0,
    },
  ],
  actual: [209.3, null],
  differs: {
    inputs: [
      {
        feature: "temperature_forecast",
        scenarioIds: [ids.scenario],
        changedRows: 2,
        amounts: [{ scenarioId: ids.scenario, rows: 2, mean: 5, min: 5, max: 5 }],
      },
    ],
    checkpoints: [],
    dependentCheckpoints: [],
  },
};

export const difference: Difference = {
  scenarioId: ids.scenario,
  baselineId: ids.otherScenario,
  method: "exact",
  commonRows: 2,
  splitRows: 2,
  onlyInScenario: 0,
  onlyInBaseline: 0,
  baselineTotal: 453.6,
  scenarioTotal: 416.9,
  totalDifference: -36.7,
  totalDifferenceInterval: { level: 0.9, lower: -44.1, upper: -29.3 },
  differsAtLevel: 0.95,
  parts: [
    {
      kind: "upstream",
      feature: "temperature_forecast",
      projectId: ids.upstreamProject,
      total: -40.7,
      values: [-19.3, -21.4],
    },
    {
      kind: "history",
      feature: null,
      projectId: null,
      component: "level",
      total: 4,
      values: [2, 2],
    },
  ],
  timestamps: ["2026-02-01T00:00:00.000Z", "2026-02-02T00:00:00.000Z"],
  differences: [-17.3, -19.4],
};

export const savedComparison: SavedComparison = {
  id: ids.comparison,
  projectId: ids.project,
  name: "February, warm or cold",
  scenarioIds: [ids.otherScenario, ids.scenario],
  createdAt: "2026-01-31T09:30:00.000Z",
  createdBy: ids.user,
};
