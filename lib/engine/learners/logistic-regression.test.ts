import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { predictLinear } from "./linear-design.ts";
import { probabilityOf } from "./log-odds.ts";
import { trainLogisticRegression } from "./logistic-regression.ts";
import { seededRandom } from "./seeded-random.ts";

/** Columns on different scales, and classes whose log-odds are a line of them. */
function data(rows: number, seed: number, strength = 1) {
  const random = seededRandom(seed);
  const columns = [1, 50, 0.01].map((scale) =>
    Float32Array.from({ length: rows }, () => scale * (random.next() - 0.5)),
  );
  const target = Float64Array.from({ length: rows }, (_, row) => {
    const logOdds = strength * (4 * columns[0]![row]! - 0.06 * columns[1]![row]! + 0.5);
    return Number(random.next() < probabilityOf(logOdds));
  });
  return { columns, target };
}

describe("trainLogisticRegression", () => {
  it("reaches the optimum: the gradient of loss and penalty is 0", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(0.1, 1, 30), (seed, alpha) => {
        const { columns, target } = data(200, seed);
        const model = trainLogisticRegression(columns, target, { alpha });
        const residuals = predictLinear(model, columns).map(
          (score, row) => target[row]! - probabilityOf(score),
        );
        expect(residuals.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 3);
        columns.forEach((column, feature) => {
          const { means, deviations, coefficients } = model;
          const pull = residuals.reduce(
            (sum, value, row) => sum + (value * (column[row]! - means[feature]!)) / deviations![feature]!,
            0,
          );
          expect(pull).toBeCloseTo(alpha * coefficients[feature]! * deviations![feature]!, 2);
        });
      }),
      { numRuns: 30 },
    );
  });

  it("recovers the effects from many rows", () => {
    const { columns, target } = data(40_000, 1);
    const { coefficients, intercept } = trainLogisticRegression(columns, target);
    expect(coefficients[0]).toBeCloseTo(4, 0);
    expect(coefficients[1]).toBeCloseTo(-0.06, 2);
    expect(intercept).toBeCloseTo(0.5, 1);
  });

  it("penalises effects more if there are none", () => {
    const random = seededRandom(2);
    const { columns } = data(100, 1);
    const noise = Float64Array.from({ length: 100 }, () => random.below(2));
    const { alpha } = trainLogisticRegression(columns, noise);
    expect(alpha).toBeGreaterThan(trainLogisticRegression(columns, data(100, 1, 3).target).alpha!);
  });

  it("stays finite for classes that a column separates, and for one class only", () => {
    const { columns } = data(100, 1);
    for (const target of [
      Float64Array.from(columns[0]!, (x) => Number(x > 0)),
      new Float64Array(100).fill(1),
    ]) {
      const model = trainLogisticRegression(columns, target);
      const probabilities = predictLinear(model, columns).map(probabilityOf);
      expect(probabilities.every((p) => p > 0 && p < 1)).toBe(true);
      expect([...probabilities].map(Math.round)).toEqual([...target]);
    }
  });
});
