import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linearDesign, penaltySplits, predictLinear } from "./linear-design.ts";
import { trainRidge } from "./ridge.ts";
import { seededRandom } from "./seeded-random.ts";

function randomColumns(count: number, rowCount: number, seed = 1) {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () =>
    Float32Array.from({ length: rowCount }, () => random.next() * 4 - 2),
  );
}

describe("trainRidge", () => {
  test("finds a linear function exactly without a penalty, in the columns' own units", () => {
    const [a, b] = randomColumns(2, 200) as [Float32Array, Float32Array];
    const large = a.map((x) => 2000 + 10 * x);
    const target = Float64Array.from(large, (x, row) => 3 * x - 0.5 * b[row]! + 7);
    const model = trainRidge([large, b], target, { alpha: 0 });
    expect(model.coefficients[0]).toBeCloseTo(3, 8);
    expect(model.coefficients[1]).toBeCloseTo(-0.5, 8);
    expect(model.intercept).toBeCloseTo(7, 4);
  });

  test("matches the textbook solution (XᵀX + αI)⁻¹Xᵀy of one standardised column", () => {
    const column = Float32Array.of(-1, 1, -1, 1);
    const target = Float64Array.of(-3, 5, -1, 7);
    // Σx² = 4, Σx(y - 2) = 16: 16 / (4 + 4) = 2.
    const model = trainRidge([column], target, { alpha: 4 });
    expect(model.coefficients[0]).toBeCloseTo(2, 12);
    expect(model.intercept).toBeCloseTo(2, 12);
  });

  test("gives 0 to a constant column and, without a penalty, to a copy of another column", () => {
    const [a] = randomColumns(1, 50) as [Float32Array];
    const constant = new Float32Array(50).fill(1e6);
    const target = Float64Array.from(a, (x) => 2 * x + 1);
    const model = trainRidge([a, constant, a], target, { alpha: 0 });
    expect(model.coefficients[0]).toBeCloseTo(2, 6);
    expect(Array.from(model.coefficients.slice(1))).toEqual([0, 0]);
  });

  test("chooses a small penalty for noise-free data and a large one for pure noise", () => {
    const columns = randomColumns(5, 100);
    const clean = Float64Array.from(columns[0]!, (x) => 5 * x);
    const random = seededRandom(5);
    const noise = clean.map(() => random.next());
    expect(trainRidge(columns, clean).alpha).toBe(0.001);
    expect(trainRidge(columns, noise).alpha).toBeGreaterThanOrEqual(100);
    expect(trainRidge(columns, clean, { order: "random" }).alpha).toBe(0.001);
    expect(trainRidge(columns, noise, { order: "random" }).alpha).toBeGreaterThanOrEqual(100);
  });

  test("validates penalties on later rows if rows are in time order, else on each fifth of the rows", () => {
    const design = linearDesign(randomColumns(2, 100), new Float64Array(100));
    const rows = (order: "time" | "random") =>
      penaltySplits(design, order).map(({ train, test }) => [train.count, test.count]);
    expect(rows("time")).toEqual([20, 40, 60, 80].map((count) => [count, 20]));
    expect(rows("random")).toEqual(Array(5).fill([80, 20]));
    expect(penaltySplits(linearDesign([], new Float64Array(12)), "time")).toEqual([]);
  });

  test.each([12, 20, 29])("with %i rows, keeps an effect that stands out, and shrinks chance", (count) => {
    let [strong, shrunk, free] = [0, 0, 0];
    for (let seed = 0; seed < 100; seed++) {
      const columns = randomColumns(2, count, seed);
      const random = seededRandom(1_000 + seed);
      const noise = Float64Array.from({ length: count }, () => 2 * random.next() - 1);
      const effect = noise.map((value, row) => value + 3 * columns[0]![row]!);
      strong += trainRidge(columns, effect).coefficients[0]! / 100;
      shrunk += Math.abs(trainRidge(columns, noise).coefficients[0]!);
      free += Math.abs(trainRidge(columns, noise, { alpha: 0 }).coefficients[0]!);
    }
    expect(strong).toBeGreaterThan(2.9);
    expect(shrunk / free).toBeLessThan(0.75);
  });

  test("predicts the mean of a constant target with few rows", () => {
    const model = trainRidge([Float32Array.of(1, 2, 3)], Float64Array.of(4, 4, 4));
    expect(Array.from(predictLinear(model, [Float32Array.of(-50, 50)]))).toEqual([4, 4]);
  });

  test("minimises the penalised error", () => {
    const input = fc.record({
      seed: fc.integer(),
      alpha: fc.constantFrom(0.1, 1, 30),
      step: fc.constantFrom(1e-3, -1e-3, 0.1),
      feature: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(input, ({ seed, alpha, step, feature }) => {
        const columns = randomColumns(3, 40, seed);
        const random = seededRandom(seed + 1);
        const target = Float64Array.from({ length: 40 }, () => random.next() * 10);
        const model = trainRidge(columns, target, { alpha });
        const cost = (coefficients: Float64Array) => {
          const intercept =
            model.intercept +
            model.coefficients.reduce((s, c, i) => s + (c - coefficients[i]!) * model.means[i]!, 0);
          const predicted = predictLinear({ ...model, coefficients, intercept }, columns);
          const error = target.reduce((sum, y, row) => sum + (y - predicted[row]!) ** 2, 0);
          return (
            error + alpha * coefficients.reduce((sum, c, i) => sum + (c * model.deviations![i]!) ** 2, 0)
          );
        };
        const moved = model.coefficients.slice();
        moved[feature]! += step;
        expect(cost(moved)).toBeGreaterThan(cost(model.coefficients));
      }),
    );
  });

  test("rejects missing values and names the column", () => {
    const columns = [Float32Array.of(1, 2), Float32Array.of(1, Number.NaN)];
    expect(() => trainRidge(columns, Float64Array.of(1, 2))).toThrow("Column 1 has missing");
  });
});
