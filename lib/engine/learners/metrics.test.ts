import { expect, test } from "vitest";
import { meanPinball, regressionMetrics } from "./metrics.ts";

test("matches known results", () => {
  const metrics = regressionMetrics(Float64Array.of(1, 2, 4, 5), Float64Array.of(2, 2, 2, 5));
  expect(metrics.rmse).toBeCloseTo(Math.sqrt(5 / 4), 12);
  expect(metrics.mae).toBeCloseTo(3 / 4, 12);
  expect(metrics.mape).toBeCloseTo((100 + 0 + 50 + 0) / 4, 12);
  expect(metrics.r2).toBeCloseTo(1 - 5 / 10, 12);
  expect(metrics.bias).toBeCloseTo(-1 / 4, 12);
});

test("ignores a pair with a missing side", () => {
  const actual = Float64Array.of(1, Number.NaN, 3, 5);
  const predicted = Float64Array.of(2, 100, Number.NaN, 5);
  expect(regressionMetrics(actual, predicted)).toEqual(
    regressionMetrics(Float64Array.of(1, 5), Float64Array.of(2, 5)),
  );
});

test("returns null for undefined metrics: MAPE of zeros, R² of a constant, all metrics without pairs", () => {
  expect(regressionMetrics(Float64Array.of(0, 0), Float64Array.of(1, 3))).toEqual({
    rmse: Math.sqrt(5),
    mae: 2,
    mape: null,
    r2: null,
    bias: 2,
  });
  const none = { rmse: null, mae: null, mape: null, r2: null, bias: null };
  expect(regressionMetrics(new Float64Array(0), new Float64Array(0))).toEqual(none);
});

test("keeps the precision of R² far from zero", () => {
  const actual = Float64Array.of(1e9, 1e9 + 1, 1e9 + 2);
  expect(
    regressionMetrics(
      actual,
      actual.map((y) => y + 1),
    ).r2,
  ).toBeCloseTo(1 - 3 / 2, 9);
});

test("pinball loss weights errors above by the quantile and errors below by 1 - quantile", () => {
  const actual = Float64Array.of(10, 10, Number.NaN);
  expect(meanPinball(actual, Float64Array.of(6, 12, 0), 0.9)).toBeCloseTo((4 * 0.9 + 2 * 0.1) / 2, 12);
  expect(meanPinball(Float64Array.of(Number.NaN), Float64Array.of(1), 0.9)).toBe(Number.POSITIVE_INFINITY);
});
