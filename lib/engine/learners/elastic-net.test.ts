import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trainElasticNet } from "./elastic-net.ts";
import { predictLinear } from "./linear-design.ts";
import { trainRidge } from "./ridge.ts";
import { seededRandom } from "./seeded-random.ts";
import { TrainingCancelled } from "./training-errors.ts";

/** Rows from a formula, so that another program can compute the same rows. */
function formulaRows() {
  const at = (value: (i: number) => number) => Float32Array.from({ length: 60 }, (_, i) => value(i));
  const columns = [
    at((i) => Math.sin(i)),
    at((i) => Math.cos(1.7 * i) * 3 + 100),
    at((i) => (i * 7) % 11),
    at((i) => Math.sin(i) + 0.1 * Math.cos(3 * i)),
  ];
  const target = Float64Array.from(
    { length: 60 },
    (_, i) => 4 * columns[0]![i]! - 0.5 * columns[1]![i]! + 0.3 * columns[2]![i]! + Math.sin(5 * i),
  );
  return { columns, target };
}

function randomRows(count: number, rowCount: number, seed: number) {
  const random = seededRandom(seed);
  const shared = Float64Array.from({ length: rowCount }, () => random.next());
  const columns = Array.from({ length: count }, (_, feature) =>
    Float32Array.from(shared, (common) => 50 * feature + (1 + feature) * (random.next() + common)),
  );
  const target = Float64Array.from(
    shared,
    (common, row) => 3 * columns[0]![row]! - 5 * common + random.next(),
  );
  return { columns, target };
}

// Reference results of scikit-learn 1.2.1: ElasticNet(tol=1e-14, max_iter=10**6) and Ridge on the standardised
// formulaRows.
const scikitLearnResults = [
  [0.1, 0.5, [2.121098727, -0.4595433533, 0.2928589542, 1.756799535], -4.01301396602],
  [0.05, 1, [3.979359513, -0.4770343996, 0.2989933785, 0], -2.29493118386],
  [0.5, 0.9, [1.904685671, -0.3241384002, 0.2058455335, 1.452181371], -17.1057592871],
] as const;

describe("trainElasticNet", () => {
  test.each(scikitLearnResults)(
    "finds scikit-learn's coefficients: alpha %d, l1Ratio %d",
    (alpha, l1Ratio, coefs, intercept) => {
      const { columns, target } = formulaRows();
      const model = trainElasticNet(columns, target, { alpha, l1Ratio });
      coefs.forEach((coef, feature) => {
        expect(model.coefficients[feature]).toBeCloseTo(coef, 5);
      });
      expect(model.intercept).toBeCloseTo(intercept, 4);
    },
  );

  test("ridge finds scikit-learn's coefficients", () => {
    const { columns, target } = formulaRows();
    const model = trainRidge(columns, target, { alpha: 5 });
    [2.054379856, -0.4651087329, 0.2973563502, 1.827652625].forEach((coef, feature) => {
      expect(model.coefficients[feature]).toBeCloseTo(coef, 7);
    });
    expect(model.intercept).toBeCloseTo(-3.4790160025, 5);
  });

  test("satisfies the Karush-Kuhn-Tucker conditions: no change of a coefficient improves the solution", () => {
    const input = fc.record({
      seed: fc.integer(),
      alpha: fc.double({ min: 0.001, max: 2, noNaN: true }),
      l1Ratio: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(input, ({ seed, alpha, l1Ratio }) => {
        const { columns, target } = randomRows(4, 40, seed);
        const model = trainElasticNet(columns, target, { alpha, l1Ratio });
        const predicted = predictLinear(model, columns);
        const rows = target.length;
        columns.forEach((column, feature) => {
          const [mean, deviation] = [model.means[feature]!, model.deviations![feature]!];
          const weight = model.coefficients[feature]! * deviation;
          const slope =
            target.reduce(
              (sum, y, row) => sum + (y - predicted[row]!) * ((column[row]! - mean) / deviation),
              0,
            ) /
              rows -
            alpha * (1 - l1Ratio) * weight;
          const l1 = alpha * l1Ratio;
          if (weight === 0) expect(Math.abs(slope)).toBeLessThanOrEqual(l1 + 1e-5);
          else expect(slope).toBeCloseTo(Math.sign(weight) * l1, 4);
        });
      }),
    );
  });

  test("equals least squares without a penalty, and ridge without an absolute part", () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(0.01, 0.3), (seed, alpha) => {
        const { columns, target } = randomRows(3, 40, seed);
        const plain = trainRidge(columns, target, { alpha: 0 });
        const none = trainElasticNet(columns, target, { alpha: 0, l1Ratio: 0.5 });
        expect([...none.coefficients]).toEqual([...plain.coefficients]);
        const ridge = trainRidge(columns, target, { alpha: 40 * alpha });
        const squares = trainElasticNet(columns, target, { alpha, l1Ratio: 0 });
        expect([...squares.coefficients]).toEqual([...ridge.coefficients]);
      }),
      { numRuns: 20 },
    );
  });

  test("drops noise columns and keeps relevant ones if it chooses the penalty", () => {
    const random = seededRandom(4);
    const columns = Array.from({ length: 30 }, () => Float32Array.from({ length: 300 }, () => random.next()));
    const target = Float64Array.from(columns[0]!, (x, row) => 10 * x - 6 * columns[1]![row]! + random.next());
    for (const order of ["time", "random"] as const) {
      const model = trainElasticNet(columns, target, { order });
      expect(model.coefficients[0]).toBeGreaterThan(9);
      expect(model.coefficients[1]).toBeLessThan(-5);
      expect(model.coefficients.filter((c) => c === 0).length).toBeGreaterThan(8);
    }
  });

  test.each([
    [5e-324, 1],
    [5e-324, 0.01],
    [1e-300, 0.5],
    [1e9, 1],
  ])("terminates with more columns than rows: alpha %d, l1Ratio %d", (alpha, l1Ratio) => {
    const { columns, target } = randomRows(40, 20, 1);
    const model = trainElasticNet(columns, target, { alpha, l1Ratio });
    expect(model.coefficients.every(Number.isFinite)).toBe(true);
    expect(model.intercept).not.toBeNaN();
  });

  test("stops during a single solution when cancelled", () => {
    const { columns, target } = randomRows(40, 20, 1);
    let checks = 0;
    const shouldStop = () => ++checks === 2;
    expect(() => trainElasticNet(columns, target, { alpha: 1e-12, l1Ratio: 1, shouldStop })).toThrow(
      TrainingCancelled,
    );
  });

  test("predicts the mean of constant data", () => {
    const constant = [new Float32Array(30).fill(3)];
    const model = trainElasticNet(
      constant,
      Float64Array.from({ length: 30 }, (_, i) => i % 3),
    );
    expect([...predictLinear(model, constant)].every((value) => Math.abs(value - 1) < 1e-9)).toBe(true);
  });
});
