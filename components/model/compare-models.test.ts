import { describe, expect, it } from "vitest";
import { type ComparedModel, compareModels } from "./compare-models.ts";

const feature = (name: string): ComparedModel["inputFeatures"][number] => ({
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
const model = (overrides: Partial<ComparedModel>): ComparedModel => ({
  modelName: "Ridge regression",
  trainingMetrics: { train: null, validation: null, baseline: null },
  inputFeatures: [],
  featureEngineering: { version: 1, steps: [] },
  trainedAt: "2026-01-01T00:00:00.000Z",
  trainingRows: 1,
  ...overrides,
});

describe("compareModels", () => {
  it("pairs the metrics of both models, with null for a missing metric", () => {
    const { metrics } = compareModels(
      model({ trainingMetrics: { train: null, validation: { rmse: 2 }, baseline: null } }),
      model({ trainingMetrics: { train: null, validation: { rmse: 1, r2: 0.9 }, baseline: null } }),
    );
    expect(metrics).toEqual([
      { name: "rmse", first: 2, second: 1 },
      { name: "r2", first: null, second: 0.9 },
    ]);
  });

  it("lists features and steps that only one model has", () => {
    const { features, steps } = compareModels(
      model({
        inputFeatures: [feature("temp"), feature("wind")],
        featureEngineering: {
          version: 1,
          steps: [
            { op: "lag", steps: 1 },
            { op: "lag", steps: 24 },
          ],
        },
      }),
      model({
        inputFeatures: [feature("temp"), feature("humidity")],
        featureEngineering: { version: 1, steps: [{ op: "lag", steps: 24 }] },
      }),
    );
    expect(features).toEqual({ onlyFirst: ["wind"], onlySecond: ["humidity"] });
    expect(steps).toEqual({ onlyFirst: ["target, 1 step back"], onlySecond: [] });
  });
});
