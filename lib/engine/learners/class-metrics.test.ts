import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classMetrics, reliabilityOf, thresholdCounts } from "./class-metrics.ts";

const pairs = fc.array(
  fc.record({ actual: fc.constantFrom(0, 1), predicted: fc.double({ min: 0, max: 1, noNaN: true }) }),
  { minLength: 1, maxLength: 60 },
);
const columns = (rows: { actual: number; predicted: number }[]) =>
  [
    Float64Array.from(rows, ({ actual }) => actual),
    Float64Array.from(rows, ({ predicted }) => predicted),
  ] as const;

describe("classMetrics", () => {
  it("computes the share of pairs of both classes in the right order as AUC", () => {
    fc.assert(
      fc.property(pairs, (rows) => {
        const score = (one: number, zero: number) => (one > zero ? 1 : one === zero ? 0.5 : 0);
        const ones = rows.filter(({ actual }) => actual === 1);
        const zeros = rows.filter(({ actual }) => actual === 0);
        const scores = ones.flatMap((one) => zeros.map((zero) => score(one.predicted, zero.predicted)));
        const { auc } = classMetrics(...columns(rows));
        if (scores.length === 0) expect(auc).toBeNull();
        else
          expect(auc).toBeCloseTo(scores.reduce<number>((sum, value) => sum + value, 0) / scores.length, 12);
      }),
    );
  });

  it("is 0 for certain and right probabilities, and finite for certain and wrong ones", () => {
    const actual = Float64Array.of(0, 1, 1);
    expect(classMetrics(actual, actual)).toMatchObject({
      logLoss: 0,
      brier: 0,
      auc: 1,
      accuracy: 1,
      calibrationError: 0,
    });
    expect(classMetrics(actual, Float64Array.of(1, 0, 0)).logLoss).toBeGreaterThan(30);
  });

  it("of the base rate is the entropy, without order and calibration error", () => {
    const actual = Float64Array.of(0, 0, 0, 1);
    const { logLoss, auc, accuracy, calibrationError } = classMetrics(actual, new Float64Array(4).fill(0.25));
    expect(logLoss).toBeCloseTo(-(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25)));
    expect({ auc, accuracy, calibrationError }).toEqual({ auc: 0.5, accuracy: 0.75, calibrationError: 0 });
  });

  it("skips pairs with a missing side", () => {
    const [actual, predicted] = [Float64Array.of(1, Number.NaN, 0), Float64Array.of(0.9, 0.1, Number.NaN)];
    expect(classMetrics(actual, predicted)).toEqual(classMetrics(Float64Array.of(1), Float64Array.of(0.9)));
    expect(classMetrics(new Float64Array(), new Float64Array()).logLoss).toBeNull();
  });
});

it("reliabilityOf and thresholdCounts count every row once", () => {
  fc.assert(
    fc.property(pairs, (rows) => {
      const bins = reliabilityOf(...columns(rows));
      expect(bins.reduce((sum, bin) => sum + bin.rows, 0)).toBe(rows.length);
      for (const { threshold, ...counts } of thresholdCounts(...columns(rows))) {
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(rows.length);
        const hits = rows.filter(({ actual, predicted }) => actual === 1 && predicted >= threshold);
        expect(counts.truePositives).toBe(hits.length);
      }
    }),
  );
});
