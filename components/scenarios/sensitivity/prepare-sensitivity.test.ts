import { describe, expect, test } from "vitest";
import { proposedDisplays, Shown } from "#components/display/shown.ts";
import type { Sensitivity, SensitivityFeature } from "#lib/contract/sensitivity";
import { curveHeight, prepareCurve } from "./prepare-curve.ts";
import { prepareSensitivity } from "./prepare-sensitivity.ts";
import { curveQuery, sensitivityQuery } from "./sensitivity-query.ts";

const effect = (feature: string, value: number | string | boolean, meanDifference: number | null) => ({
  adjustment: { feature, operation: "set" as const, value },
  meanDifference,
  sumDifference: meanDifference === null ? null : 10 * meanDifference,
  trainingRows: typeof value === "number" ? null : 3,
});
const plain = { sourceProjectId: null, values: null };
const features: SensitivityFeature[] = [
  { ...plain, feature: "temp", type: "number", effects: [effect("temp", 2, -3), effect("temp", 9, 4)] },
  {
    ...plain,
    feature: "open",
    type: "boolean",
    effects: [effect("open", false, -1), effect("open", true, 0)],
  },
  {
    ...plain,
    feature: "sky",
    type: "category",
    effects: [effect("sky", "rain", 0.5), effect("sky", "sun", null)],
  },
  { ...plain, feature: "calm", type: "number", effects: [] },
];
const answer: Sensitivity = {
  change: "range",
  rowCount: 10,
  evaluatedRows: 5,
  sample: "spread",
  trainingRows: 9,
  mean: 20,
  sum: 200,
  omittedFeatures: 2,
  features,
};

const names = { target: new Shown("Sales", "€"), displays: proposedDisplays };

describe("prepareSensitivity", () => {
  test("names the values to which a number of 0 and 1 is set", () => {
    const flag = { ...features[0]!, effects: [effect("temp", 0, -3), effect("temp", 1, 4)] };
    const prepared = prepareSensitivity({ ...answer, change: "percent", features: [flag] }, "sum", names);
    expect(prepared.features[0]!.effects.map(({ text, side }) => [text, side])).toEqual([
      ["Set to 0", "low"],
      ["Set to 1", "high"],
    ]);
  });

  test("names the effects, gives their span and base for the statistic, and leaves out unknown effects", () => {
    const { features: prepared, largest, base, summary } = prepareSensitivity(answer, "sum", names);
    expect([largest, base]).toEqual([40, 200]);
    expect(summary).toBe("Temp has the largest effect: it changes the sum of Sales by −30 to +40 €.");
    expect(prepared.map(({ name, span }) => [name, span])).toEqual([
      ["temp", [-30, 40]],
      ["open", [-10, 0]],
      ["sky", [0, 5]],
    ]);
    expect(prepared.flatMap(({ effects }) => effects.map(({ text, side }) => [text, side]))).toEqual([
      ["Minimum (2)", "low"],
      ["Maximum (9)", "high"],
      ["No", "low"],
      ["Yes", "high"],
      ["rain", null],
    ]);
    expect(prepareSensitivity(answer, "mean", names).features[0]!.span).toEqual([-3, 4]);
  });

  test("states sampled rows, omitted inputs and undefined changes", () => {
    expect(prepareSensitivity(answer, "mean", names).remarks).toEqual([
      "Computed from 5 of 10 rows, evenly spread.",
      "2 more inputs not computed.",
      "The training data does not define this change for Calm.",
    ]);
    const all = { ...answer, sample: "all" as const, omittedFeatures: 0, features: features.slice(0, 2) };
    expect(prepareSensitivity(all, "mean", names).remarks).toEqual([]);
    expect(prepareSensitivity({ ...all, features: [] }, "sum", names).summary).toBe(
      "No input has a defined change.",
    );
  });
});

test("queries have the span, and escape the name of a feature", () => {
  const state = { change: "percent" as const, from: "", to: "2026-02-28T23:59:59Z" };
  expect(sensitivityQuery(state)).toBe("change=percent&to=2026-02-28T23%3A59%3A59Z");
  expect(curveQuery({ ...state, to: "" }, "a&b")).toBe("change=percent&feature=a%26b&curves=true");
});

describe("prepareCurve", () => {
  const feature: SensitivityFeature = {
    ...features[0]!,
    values: { min: -5, max: 5, mean: 1 },
    curve: { values: [0, 5, 10], means: [100, null, 300] },
    density: { from: 0, to: 10, counts: [4, 0, 2] },
  };

  test("keeps the line, the density and the scenario's values within the picture", () => {
    const { points, density, own, scale, xTicks } = prepareCurve(feature, 600)!;
    expect(points.map(({ value }) => value)).toEqual([0, 10]);
    expect(points[0]!.y).toBeGreaterThan(points[1]!.y);
    expect(density.length).toBe(2);
    for (const { x, y, width, height } of density) {
      expect(x).toBeGreaterThanOrEqual(scale.left);
      expect(x + width).toBeLessThanOrEqual(scale.right);
      expect(y).toBeGreaterThanOrEqual(scale.bottom);
      expect(y + height).toBeLessThanOrEqual(curveHeight);
    }
    expect(own!.from).toBe(scale.left);
    expect(xTicks[0]).toBe(0);
  });

  test("draws a single value, and nothing without a curve", () => {
    const single = {
      ...feature,
      curve: { values: [3], means: [7] },
      density: { from: 3, to: 3, counts: [9] },
    };
    const { points, density, scale } = prepareCurve(single, 390)!;
    expect(points[0]!.x).toBeCloseTo((scale.left + scale.right) / 2);
    expect(density[0]!.width).toBeGreaterThan(1);
    expect(prepareCurve({ ...feature, curve: null }, 600)).toBeNull();
    expect(prepareCurve({ ...feature, curve: { values: [1], means: [null] } }, 600)).toBeNull();
  });
});
