import fc from "fast-check";
import { expect, test } from "vitest";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import type { Ensemble, Tree } from "#lib/engine/learners/tree";
import { predictEnsemble } from "#testing/predict-ensemble";
import { treeShap } from "./tree-shap.ts";

/** Returns the tree's expected output if only the features of the set are known (Lundberg et al. 2018, algorithm 1). */
function expectedGiven(tree: Tree, known: Set<number>, x: number[], node = 0): number {
  const feature = tree.feature[node]!;
  if (feature < 0) return tree.value[node]!;
  const left = tree.left[node]!;
  const right = tree.right[node]!;
  if (known.has(feature)) {
    const value = x[feature]!;
    const goesLeft = Number.isNaN(value) ? tree.missingLeft[node] === 1 : value <= tree.threshold[node]!;
    return expectedGiven(tree, known, x, goesLeft ? left : right);
  }
  const leftPart = tree.cover[left]! * expectedGiven(tree, known, x, left);
  const rightPart = tree.cover[right]! * expectedGiven(tree, known, x, right);
  return (leftPart + rightPart) / tree.cover[node]!;
}

/** Shapley's definition, over all orders of the features. */
function bruteForce(ensemble: Ensemble, x: number[]): number[] {
  const { featureCount, trees } = ensemble;
  const worth = (known: Set<number>) => trees.reduce((sum, tree) => sum + expectedGiven(tree, known, x), 0);
  const orders = permutations(Array.from({ length: featureCount }, (_, feature) => feature));
  const values = new Array<number>(featureCount).fill(0);
  for (const order of orders) {
    const known = new Set<number>();
    let before = worth(known);
    for (const feature of order) {
      known.add(feature);
      const after = worth(known);
      values[feature]! += (after - before) / orders.length;
      before = after;
    }
  }
  return values;
}

function permutations(items: number[]): number[][] {
  if (items.length < 2) return [items];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

function randomEnsemble(featureCount: number, maxLeaves: number, rounds: number, seed: number) {
  const random = seededRandom(seed);
  const columns = Array.from({ length: featureCount }, () =>
    Float32Array.from({ length: 120 }, () => (random.next() < 0.1 ? Number.NaN : random.next())),
  );
  const target = Float64Array.from({ length: 120 }, () => random.next() * 100);
  const { ensemble } = trainGradientBoosting(columns, target, { rounds, maxLeaves, minLeaf: 2 });
  return { ensemble, columns };
}

const shape = fc.record({
  featureCount: fc.integer({ min: 1, max: 5 }),
  maxLeaves: fc.integer({ min: 2, max: 24 }),
  rounds: fc.integer({ min: 0, max: 3 }),
  seed: fc.integer(),
});

test("equals Shapley's definition by brute force", () => {
  fc.assert(
    fc.property(shape, ({ featureCount, maxLeaves, rounds, seed }) => {
      const { ensemble, columns } = randomEnsemble(featureCount, maxLeaves, rounds, seed);
      const rows = [0, 17, 119];
      const { values } = treeShap(ensemble, columns, rows);
      rows.forEach((row, at) => {
        const expected = bruteForce(
          ensemble,
          columns.map((column) => column[row]!),
        );
        expected.forEach((value, feature) => {
          expect(values[at]![feature]).toBeCloseTo(value, 9);
        });
      });
    }),
    { numRuns: 60 },
  );
});

test("sums to the prediction, for wide and deep trees too", () => {
  for (const [featureCount, maxLeaves] of [
    [40, 60],
    [3, 60],
    [12, 31],
  ] as const) {
    const { ensemble, columns } = randomEnsemble(featureCount, maxLeaves, 50, featureCount);
    const predictions = predictEnsemble(ensemble, columns);
    const rows = Int32Array.from({ length: 120 }, (_, row) => row);
    const { baseValue, values } = treeShap(ensemble, columns, rows);
    values.forEach((row, at) => {
      const sum = row.reduce((total, value) => total + value, baseValue);
      expect(Math.abs(sum - predictions[at]!)).toBeLessThan(1e-9);
    });
  }
});

test("the base value is the mean prediction over the training rows", () => {
  const { ensemble, columns } = randomEnsemble(4, 16, 10, 3);
  const predictions = predictEnsemble(ensemble, columns);
  const mean = predictions.reduce((sum, y) => sum + y, 0) / predictions.length;
  expect(treeShap(ensemble, columns, [0]).baseValue).toBeCloseTo(mean, 9);
});

test("an ensemble without trees has contributions of 0", () => {
  const ensemble: Ensemble = { kind: "trees", baseValue: 5, featureCount: 2, trees: [] };
  const columns = [Float32Array.of(1), Float32Array.of(2)];
  expect(treeShap(ensemble, columns, [0])).toEqual({ baseValue: 5, values: [new Float64Array(2)] });
});

test("contributions to a logarithm keep their signs and shares, and sum to the prediction", () => {
  const random = seededRandom(2);
  const columns = [0, 1, 2].map(() => Float32Array.from({ length: 300 }, () => random.next()));
  const counts = Float64Array.from(columns[0]!, (x) => Math.floor(8 * x * random.next()));
  const { ensemble } = trainGradientBoosting(columns, counts, { loss: "poisson", rounds: 30, minLeaf: 5 });
  const { link: _, ...logarithm } = ensemble;
  const rows = Int32Array.from({ length: 300 }, (_, row) => row);
  const predictions = predictEnsemble(ensemble, columns);
  const onLogarithm = treeShap(logarithm, columns, rows);
  const { baseValue, values } = treeShap(ensemble, columns, rows);
  values.forEach((row, at) => {
    expect(row.reduce((sum, value) => sum + value, baseValue)).toBeCloseTo(predictions[at]!, 9);
    const [first, second] = onLogarithm.values[at]!;
    expect(row[0]! * second!).toBeCloseTo(row[1]! * first!, 9);
    expect(Math.sign(row[0]!)).toBe(Math.sign(first!));
  });
});
