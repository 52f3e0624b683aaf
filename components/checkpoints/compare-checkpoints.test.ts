import { describe, expect, it } from "vitest";
import type { CheckpointDetail } from "#lib/contract/checkpoints";
import { compareCheckpoints } from "./compare-checkpoints.ts";

const feature = (name: string): CheckpointDetail["inputFeatures"][number] => ({
  name,
  type: "number",
  role: "input",
  required: true,
  min: 0,
  max: 1,
  mean: 0.5,
  median: 0.5,
  missing: 0,
  categories: null,
  sourceProjectId: null,
});
const checkpoint = (overrides: Partial<CheckpointDetail>): CheckpointDetail => ({
  id: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f",
  projectId: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e60",
  label: "A",
  description: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  createdBy: "u",
  isDefault: false,
  linkedCheckpointId: null,
  modelName: "Ridge regression",
  primaryMetricValue: 1,
  targetMetric: "rmse",
  trainingMetrics: { train: null, validation: null, baseline: null },
  inputFeatures: [],
  featureEngineering: { version: 1, steps: [] },
  modelFormat: "onnx",
  artifactBytes: 1,
  sha256: "0",
  trainedAt: "2026-01-01T00:00:00.000Z",
  trainingRows: 1,
  usedByScenarios: 0,
  folderName: "a",
  dependentProjectCheckpoints: {},
  ...overrides,
});

describe("compareCheckpoints", () => {
  it("pairs the metrics of both checkpoints, with null for a missing metric", () => {
    const { metrics } = compareCheckpoints(
      checkpoint({ trainingMetrics: { train: null, validation: { rmse: 2 }, baseline: null } }),
      checkpoint({ trainingMetrics: { train: null, validation: { rmse: 1, r2: 0.9 }, baseline: null } }),
    );
    expect(metrics).toEqual([
      { name: "rmse", first: 2, second: 1 },
      { name: "r2", first: null, second: 0.9 },
    ]);
  });

  it("lists features and steps that only one checkpoint has", () => {
    const { features, steps } = compareCheckpoints(
      checkpoint({
        inputFeatures: [feature("temp"), feature("wind")],
        featureEngineering: {
          version: 1,
          steps: [
            { op: "lag", steps: 1 },
            { op: "lag", steps: 24 },
          ],
        },
      }),
      checkpoint({
        inputFeatures: [feature("temp"), feature("humidity")],
        featureEngineering: { version: 1, steps: [{ op: "lag", steps: 24 }] },
      }),
    );
    expect(features).toEqual({ onlyFirst: ["wind"], onlySecond: ["humidity"] });
    expect(steps).toEqual({ onlyFirst: ["target, 1 step back"], onlySecond: [] });
  });
});
