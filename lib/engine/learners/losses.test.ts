import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quantileOf } from "#lib/engine/statistics/quantile";
import { predictEnsemble } from "#testing/predict-ensemble";
import { trainGradientBoosting } from "./gradient-boosting.ts";
import { type LossName, lossOf } from "./losses.ts";
import { seededRandom } from "./seeded-random.ts";

const params = { loss: "squared", quantile: 0.5, l1: 0, l2: 0 } as const;

/** Two columns and a target with skewed noise, so that its mean, median and quantiles differ. */
function skewedData(rowCount: number, seed: number) {
  const random = seededRandom(seed);
  const columns = [0, 1].map(() => Float32Array.from({ length: rowCount }, () => random.next()));
  const target = Float64Array.from(columns[0]!, (x) => 5 * x - 2 * Math.log(1 - random.next()));
  return { columns, target };
}

describe("a leaf's value is optimal", () => {
  const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 40 });
  test.each<[LossName, (y: number, score: number) => number]>([
    ["squared", (y, score) => (y - score) ** 2],
    ["absolute", (y, score) => Math.abs(y - score)],
    ["poisson", (y, score) => Math.exp(score) - y * score],
  ])("for %s loss", (name, lossAt) => {
    const loss = lossOf({ ...params, loss: name });
    fc.assert(
      fc.property(values, fc.double({ min: -2, max: 2, noNaN: true }), (all, start) => {
        const target = Float64Array.from([...all, 1]);
        const scores = new Float64Array(target.length).fill(start);
        const residuals = new Float64Array(target.length);
        loss.baseScore(target);
        loss.fillResiduals(target, scores, residuals, 0, target.length);
        const rows = [Int32Array.from(target.keys())];
        const sum = residuals.reduce((total, residual) => total + residual, 0);
        const value = loss.leafValue(sum, target.length, rows, target, scores);
        const total = (step: number) => target.reduce((part, y) => part + lossAt(y, start + step), 0);
        for (const other of [value - 0.1, value + 0.1]) {
          if (Math.abs(other) < 4) expect(total(value)).toBeLessThanOrEqual(total(other) + 1e-9);
        }
      }),
    );
  });
});

test("quantileOf matches the sorted values, with interpolation between two of them", () => {
  const values = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (all, at) => {
      const sorted = all.toSorted((a, b) => a - b);
      const position = (all.length - 1) * at;
      const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
      const expected = low + (high - low) * (position % 1);
      expect(quantileOf(Float64Array.from(all), all.length, at)).toBeCloseTo(expected, 9);
    }),
  );
});

describe("predictions trained with", () => {
  const { columns, target } = skewedData(4_000, 1);
  const fresh = skewedData(4_000, 2);
  const predicted = (loss: LossName, quantile = 0.5) => {
    const { ensemble } = trainGradientBoosting(columns, target, { loss, quantile, rounds: 60, maxLeaves: 8 });
    return predictEnsemble(ensemble, fresh.columns);
  };
  const partBelow = (predictions: Float64Array) =>
    predictions.reduce((n, p, row) => n + (fresh.target[row]! < p ? 1 : 0), 0) / predictions.length;

  test("absolute loss lie above half of the rows", () => {
    expect(partBelow(predicted("absolute"))).toBeCloseTo(0.5, 1);
  });

  test("quantile loss lie above that fraction of the rows", () => {
    expect(partBelow(predicted("quantile", 0.9))).toBeCloseTo(0.9, 1);
    expect(partBelow(predicted("quantile", 0.1))).toBeCloseTo(0.1, 1);
  });

  test("Poisson loss have the counts' mean, are never negative, and beat squared loss by deviance", () => {
    const random = seededRandom(5);
    // Squared errors mostly reflect the noise of large counts; errors at rare events weigh little.
    const rate = ([a, b]: Float32Array[], row: number) => (a![row]! > 0.8 ? 50 : b![row]! > 0.5 ? 0.5 : 0.05);
    const counts = target.map((_, row) => {
      let events = -1;
      for (let rest = rate(columns, row); rest > 0; events++) rest += Math.log(1 - random.next());
      return events;
    });
    const train = (loss: LossName) => {
      const { ensemble } = trainGradientBoosting(columns, counts, { loss, rounds: 60, maxLeaves: 8 });
      return (inputs: Float32Array[]) => predictEnsemble(ensemble, inputs);
    };
    const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const deviance = (predictions: Float64Array) =>
      predictions.reduce((sum, predicted, row) => {
        return sum + predicted - rate(fresh.columns, row) * Math.log(Math.max(predicted, 1e-3));
      }, 0);
    const poisson = train("poisson");
    expect(mean(poisson(columns))).toBeCloseTo(mean(counts), 1);
    expect(Math.min(...poisson(fresh.columns))).toBeGreaterThan(0);
    const squared = train("squared");
    expect(deviance(poisson(fresh.columns))).toBeLessThan(deviance(squared(fresh.columns)));
  });
});

test("early stopping monitors the loss that training minimises", () => {
  const { columns, target } = skewedData(600, 3);
  const validation = skewedData(300, 4);
  const settings = { loss: "absolute", rounds: 300, earlyStoppingRounds: 10 } as const;
  const result = trainGradientBoosting(columns, target, settings, { validation });
  const predictions = predictEnsemble(result.ensemble, validation.columns);
  const error = predictions.reduce((sum, p, row) => sum + Math.abs(p - validation.target[row]!), 0) / 300;
  expect(error).toBeCloseTo(result.validationCurve[result.bestRound - 1]!, 9);
});

test("Poisson loss rejects negative targets, and predicts almost 0 for a target without events", () => {
  const column = Float32Array.from({ length: 50 }, (_, row) => row);
  const train = (target: Float64Array) => trainGradientBoosting([column], target, { loss: "poisson" });
  expect(() => train(Float64Array.from(column, (x) => x - 1))).toThrow("has negative values");
  expect(predictEnsemble(train(new Float64Array(50)).ensemble, [column])[7]).toBeCloseTo(0, 9);
});

test("L1 sets smaller residual sums to 0 and shrinks larger ones by the same amount", () => {
  const column = Float32Array.from({ length: 100 }, (_, row) => row);
  const target = Float64Array.from(column, (x) => (x < 50 ? -1 : 1));
  const train = (l1: number) => {
    const settings = { rounds: 1, learningRate: 1, maxLeaves: 2, l1 };
    return predictEnsemble(trainGradientBoosting([column], target, settings).ensemble, [column])[99];
  };
  expect(train(0)).toBeCloseTo(1, 6);
  expect(train(25)).toBeCloseTo(0.5, 6);
  expect(train(50)).toBe(0);
});
