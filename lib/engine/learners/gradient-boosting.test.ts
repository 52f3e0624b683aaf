import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { predictEnsemble } from "#testing/predict-ensemble";
import { trainGradientBoosting } from "./gradient-boosting.ts";
import { seededRandom } from "./seeded-random.ts";
import { TrainingCancelled } from "./training-errors.ts";
import { leafOf } from "./tree.ts";

/** A target that depends on two of three columns, with noise; every 7th value of the second column is missing. */
function sampleData(rowCount: number, seed = 7) {
  const random = seededRandom(seed);
  const columns = [0, 1, 2].map(() => Float32Array.from({ length: rowCount }, () => random.next()));
  for (let row = 0; row < rowCount; row += 7) columns[1]![row] = Number.NaN;
  const target = Float64Array.from({ length: rowCount }, (_, row) => {
    const second = columns[1]![row]!;
    return 10 * columns[0]![row]! + (Number.isNaN(second) ? 4 : second) + random.next();
  });
  return { columns, target };
}

function squaredError(actual: Float64Array, predicted: Float64Array) {
  return actual.reduce((sum, y, row) => sum + (y - predicted[row]!) ** 2, 0) / actual.length;
}

describe("trainGradientBoosting", () => {
  test("finds a step exactly, with one split between the values on both sides of it", () => {
    const column = Float32Array.from({ length: 100 }, (_, row) => row);
    const target = Float64Array.from(column, (x) => (x <= 29 ? -2 : 6));
    const params = { rounds: 1, learningRate: 1, maxLeaves: 2 };
    const { ensemble } = trainGradientBoosting([column], target, params);
    const [tree] = ensemble.trees;
    expect(ensemble.trees).toHaveLength(1);
    expect(tree!.feature).toEqual(Int32Array.of(0, -1, -1));
    expect(tree!.threshold[0]).toBe(29.5);
    expect(tree!.cover).toEqual(Float64Array.of(100, 30, 70));
    predictEnsemble(ensemble, [column]).forEach((predicted, row) => {
      expect(predicted).toBeCloseTo(target[row]!, 5);
    });
    // The squared error falls from variance × rows to 0: 100 · 0.3 · 0.7 · 8².
    expect(tree!.gain![0]).toBeCloseTo(1344, 2);
  });

  test("approximates a smooth function", () => {
    const { columns, target } = sampleData(4_000);
    const { ensemble } = trainGradientBoosting(columns, target, {});
    const fresh = sampleData(1_000, 8);
    const noiseVariance = 1 / 12;
    const error = squaredError(fresh.target, predictEnsemble(ensemble, fresh.columns));
    expect(error).toBeGreaterThan(noiseVariance * 0.8);
    expect(error).toBeLessThan(noiseVariance * 1.6);
  });

  test("separates missing values from present ones if missingness explains the target", () => {
    const column = Float32Array.from({ length: 90 }, (_, row) => (row % 3 === 0 ? Number.NaN : row));
    const target = Float64Array.from(column, (x) => (Number.isNaN(x) ? 5 : 1));
    const params = { rounds: 1, learningRate: 1, minLeaf: 5 };
    const { ensemble } = trainGradientBoosting([column], target, params);
    const predicted = predictEnsemble(ensemble, [Float32Array.of(Number.NaN, 0, 1, 89, 1e30)]);
    [5, 1, 1, 1, 1].forEach((expected, row) => {
      expect(predicted[row]).toBeCloseTo(expected, 5);
    });
  });

  test("routes missing values to the side of the threshold that they resemble", () => {
    const column = Float32Array.from({ length: 300 }, (_, row) => (row % 3 === 0 ? Number.NaN : row));
    for (const [like, other] of [
      [7, -7],
      [-7, 7],
    ] as const) {
      const target = Float64Array.from(column, (x) => (Number.isNaN(x) || x < 150 ? like : other));
      const { ensemble } = trainGradientBoosting([column], target, {
        rounds: 1,
        learningRate: 1,
        maxLeaves: 2,
      });
      const predicted = predictEnsemble(ensemble, [Float32Array.of(Number.NaN, 0, 299)]);
      [like, like, other].forEach((expected, row) => {
        expect(predicted[row]).toBeCloseTo(expected, 5);
      });
    }
  });

  test("routes missing values with the majority if training had none", () => {
    const column = Float32Array.from({ length: 100 }, (_, row) => row);
    const target = Float64Array.from(column, (x) => (x < 70 ? 1 : 2));
    const { ensemble } = trainGradientBoosting([column], target, {
      rounds: 1,
      learningRate: 1,
      maxLeaves: 2,
    });
    expect(predictEnsemble(ensemble, [Float32Array.of(Number.NaN)])[0]).toBeCloseTo(1, 5);
  });

  test("grows the same trees for the same seed and different trees for another, also with sampled rows and columns", () => {
    const { columns, target } = sampleData(500);
    const train = (seed: number) =>
      trainGradientBoosting(columns, target, { rounds: 20, subsample: 0.6, colsample: 0.5, seed }).ensemble;
    expect(train(3)).toEqual(train(3));
    expect(train(3)).not.toEqual(train(4));
  });

  test("finds the same splits for any order of the rows", () => {
    const { columns, target } = sampleData(400);
    const grow = (input: Float32Array[], y: Float64Array) =>
      trainGradientBoosting(input, y, { rounds: 1 }).ensemble.trees[0]!;
    const forwards = grow(columns, target);
    const backwards = grow(
      columns.map((column) => column.toReversed()),
      target.toReversed(),
    );
    expect(backwards.feature).toEqual(forwards.feature);
    expect(backwards.threshold).toEqual(forwards.threshold);
    expect(backwards.cover).toEqual(forwards.cover);
  });

  test("fits rows outside the sample as well", () => {
    const { columns, target } = sampleData(2_000);
    const params = { rounds: 200, subsample: 0.5, colsample: 0.7 };
    const { ensemble } = trainGradientBoosting(columns, target, params);
    const fresh = sampleData(1_000, 9);
    expect(squaredError(fresh.target, predictEnsemble(ensemble, fresh.columns))).toBeLessThan(0.16);
  });

  test("stops early on a validation set and keeps only the trees up to the best round", () => {
    const noise = seededRandom(1);
    const { columns, target } = sampleData(300);
    const noisy = target.map((y) => y + 10 * noise.next());
    const validation = sampleData(300, 11);
    const params = { rounds: 500, minLeaf: 2, earlyStoppingRounds: 15 };
    const result = trainGradientBoosting(columns, noisy, params, { validation });
    const { bestRound, validationCurve, ensemble } = result;
    expect(validationCurve).toHaveLength(bestRound + 15);
    expect(validationCurve[bestRound - 1]).toBe(Math.min(...validationCurve));
    expect(ensemble.trees).toHaveLength(bestRound);
    const rmse = Math.sqrt(squaredError(validation.target, predictEnsemble(ensemble, validation.columns)));
    expect(rmse).toBeCloseTo(validationCurve[bestRound - 1]!, 10);
  });

  test("keeps every round without early stopping, and still reports the best one", () => {
    const { columns, target } = sampleData(300);
    const validation = sampleData(300, 11);
    const result = trainGradientBoosting(columns, target, { rounds: 60, minLeaf: 2 }, { validation });
    expect(result.ensemble.trees).toHaveLength(60);
    expect(result.validationCurve[result.bestRound - 1]).toBe(Math.min(...result.validationCurve));
  });

  test("reports progress, and stops as soon as it is cancelled", () => {
    const { columns, target } = sampleData(300);
    const fractions: number[] = [];
    const train = () =>
      trainGradientBoosting(
        columns,
        target,
        { rounds: 100 },
        {
          onProgress: (fraction) => fractions.push(fraction),
          shouldStop: () => fractions.length >= 10,
        },
      );
    expect(train).toThrow(TrainingCancelled);
    expect(fractions).toHaveLength(10);
    expect(fractions.at(-1)).toBeCloseTo(0.1, 12);
  });

  test("predicts the mean if there is nothing to learn", () => {
    const constant = new Float32Array(50).fill(3);
    const empty = new Float32Array(50).fill(Number.NaN);
    const target = Float64Array.from({ length: 50 }, (_, row) => row);
    const { ensemble } = trainGradientBoosting([constant, empty], target, {});
    expect(ensemble).toEqual({ kind: "trees", baseValue: 24.5, featureCount: 2, trees: [] });
    expect(predictEnsemble(ensemble, [constant, empty])).toEqual(new Float64Array(50).fill(24.5));
  });

  test("respects minLeaf and maxLeaves, and returns covers that add up", () => {
    const settings = fc.record({
      rows: fc.integer({ min: 1, max: 300 }),
      seed: fc.integer(),
      minLeaf: fc.integer({ min: 1, max: 40 }),
      maxLeaves: fc.integer({ min: 2, max: 20 }),
      maxBins: fc.integer({ min: 2, max: 255 }),
      l2: fc.constantFrom(0, 1, 100),
    });
    fc.assert(
      fc.property(settings, ({ rows, ...params }) => {
        const { columns, target } = sampleData(rows, params.seed);
        const { ensemble } = trainGradientBoosting(columns, target, { ...params, rounds: 5 });
        for (const tree of ensemble.trees) {
          const counted = new Float64Array(tree.cover.length);
          for (let row = 0; row < rows; row++) counted[leafOf(tree, columns, row)]! += 1;
          let leaves = 0;
          tree.feature.forEach((feature, node) => {
            if (feature >= 0) {
              expect(tree.cover[tree.left[node]!]! + tree.cover[tree.right[node]!]!).toBe(tree.cover[node]);
              return;
            }
            leaves++;
            // Training counts rows by bin; prediction by value must route the same number of rows.
            expect(counted[node]).toBe(tree.cover[node]);
            expect(tree.cover[node]).toBeGreaterThanOrEqual(params.minLeaf);
          });
          expect(leaves).toBeLessThanOrEqual(params.maxLeaves);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("routes float32 extremes by value as by bin: -0, denormals, infinities, neighbours", () => {
    const tricky = fc.constantFrom(
      0,
      -0,
      1e-45,
      -1e-45,
      1e-39,
      1,
      1 + 2 ** -23,
      3.4028234663852886e38,
      -3.4e38,
      Infinity,
      -Infinity,
      Number.NaN,
    );
    const row = fc.record({ x: fc.oneof(tricky, fc.float()), y: fc.integer({ min: -100, max: 100 }) });
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 60 }), (rows) => {
        const column = Float32Array.from(rows, ({ x }) => x);
        const target = Float64Array.from(rows, ({ y }) => y);
        const params = { rounds: 3, minLeaf: 1, maxLeaves: 60 };
        const { ensemble } = trainGradientBoosting([column], target, params);
        for (const tree of ensemble.trees) {
          const counted = new Float64Array(tree.cover.length);
          rows.forEach((_, at) => {
            counted[leafOf(tree, [column], at)]! += 1;
          });
          tree.feature.forEach((feature, node) => {
            if (feature < 0) expect(counted[node]).toBe(tree.cover[node]);
          });
          expect(tree.threshold.some(Number.isNaN)).toBe(false);
        }
      }),
    );
  });
});
