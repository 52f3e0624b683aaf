import type { SeededRandom } from "#lib/engine/learners/seeded-random";

/** Maximum number of rows to evaluate; fewer rows with many features keep the run time bounded. */
const ROWS_MAX = 1_000;
const ROWS_MIN = 100;
const EVALUATIONS_MAX = 20_000;

/**
 * Computes the increase of the root mean squared error when a feature's values are shuffled among the rows (Breiman
 * 2001; Fisher, Rudin and Dominici 2019). The increase is about 0 for a feature that the model does not need.
 *
 * @param predict the model
 * @param columns model inputs of rows that the model was not fitted on
 * @param groups columns of each feature, which are shuffled together
 * @returns one number per group, in the target's unit
 */
export function permutationImportance(
  predict: (columns: Float32Array[]) => Float64Array,
  columns: Float32Array[],
  target: Float64Array,
  groups: readonly (readonly number[])[],
  random: SeededRandom,
): Float64Array {
  const sampleSize = Math.min(ROWS_MAX, Math.max(ROWS_MIN, Math.floor(EVALUATIONS_MAX / groups.length)));
  const rows = random.sample(target.length, Math.min(target.length, sampleSize));
  const sampled = columns.map((column) => Float32Array.from(rows, (row) => column[row]!));
  const actual = Float64Array.from(rows, (row) => target[row]!);
  const before = rootMeanSquare(predict(sampled), actual);
  return Float64Array.from(groups, (group) => {
    const order = random.shuffle(Int32Array.from(rows.keys()));
    const mixed = sampled.map((column, at) =>
      group.includes(at) ? Float32Array.from(order, (row) => column[row]!) : column,
    );
    return rootMeanSquare(predict(mixed), actual) - before;
  });
}

function rootMeanSquare(predicted: Float64Array, actual: Float64Array): number {
  const sum = predicted.reduce((total, value, row) => total + (value - actual[row]!) ** 2, 0);
  return Math.sqrt(sum / predicted.length);
}
