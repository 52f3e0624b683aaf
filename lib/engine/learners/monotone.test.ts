import fc from "fast-check";
import { expect, test } from "vitest";
import { predictEnsemble } from "#testing/predict-ensemble";
import { trainGradientBoosting } from "./gradient-boosting.ts";
import { LOSS_NAMES } from "./losses.ts";
import { seededRandom } from "./seeded-random.ts";

test("a larger value never lowers the prediction of an increasing column or raises that of a decreasing one", () => {
  const input = fc.record({
    seed: fc.integer(),
    loss: fc.constantFrom(...LOSS_NAMES),
    subsample: fc.constantFrom(0.6, 1),
    l1: fc.constantFrom(0, 2),
    rows: fc.integer({ min: 20, max: 200 }),
  });
  fc.assert(
    fc.property(input, ({ seed, loss, subsample, l1, rows }) => {
      const random = seededRandom(seed);
      const columns = [0, 1, 2].map(() => Float32Array.from({ length: rows }, () => random.next()));
      const target = Float64Array.from({ length: rows }, () => 10 * random.next());
      const settings = { loss, subsample, l1, seed, minLeaf: 2, rounds: 6, maxLeaves: 12, learningRate: 0.5 };
      const { ensemble } = trainGradientBoosting(columns, target, { ...settings, monotone: [1, -1, 0] });
      const grid = Float32Array.from({ length: 60 }, (_, step) => step / 50 - 0.1);
      for (let row = 0; row < 10; row++) {
        const at = (feature: number) =>
          columns.map((column, other) => (other === feature ? grid : grid.map(() => column[row]!)));
        const rising = predictEnsemble(ensemble, at(0));
        const falling = predictEnsemble(ensemble, at(1));
        for (let step = 1; step < grid.length; step++) {
          expect(rising[step]).toBeGreaterThanOrEqual(rising[step - 1]!);
          expect(falling[step]).toBeLessThanOrEqual(falling[step - 1]!);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("a constraint that matches the data costs no accuracy, and an opposite one leaves the column unused", () => {
  const random = seededRandom(1);
  const column = Float32Array.from({ length: 1_000 }, () => random.next());
  const target = Float64Array.from(column, (x) => 10 * x + random.next());
  const error = (monotone: number[] | null) => {
    const { ensemble } = trainGradientBoosting([column], target, { rounds: 50, monotone });
    const predictions = predictEnsemble(ensemble, [column]);
    return predictions.reduce((sum, p, row) => sum + (p - target[row]!) ** 2, 0) / 1_000;
  };
  expect(error([1])).toBeLessThan(1.3 * error([0]));
  expect(error([0])).toBe(error(null));
  expect(trainGradientBoosting([column], target, { monotone: [-1] }).ensemble.trees).toEqual([]);
});
