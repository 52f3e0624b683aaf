import { cholesky, solveCholesky } from "#lib/engine/learners/cholesky";
import type { PanelLearner } from "./panel-learner.ts";

/**
 * What one series knows of the effects: `information` (the inverse of the covariance of its own estimate) and `pull`, its
 * product with the estimate. Both are 0 for a model input that does not vary within the series.
 */
export type SeriesEquations = { information: Float64Array; pull: Float64Array };

type SeriesRows = {
  /** Model inputs of the rows minus their means in the series; 0 for missing values. */
  columns: readonly Float64Array[];
  /** Targets of the rows, in units of the series' scale; not NaN. */
  targets: Float64Array;
  /** Grid index of each row, ascending. */
  indexes: Float64Array;
};

/** Rows that share a level of their own, so that effects are not confused with slow changes of the level. */
const BLOCK_CYCLES = 1;
/** Deviations, in robust standard deviations, up to which a row pulls the estimate. */
const CLIP = 4;
const ROUNDS = 6;
/** Penalty that keeps the first estimate finite: effects of e^±2 are usual. */
const FIRST_PENALTY = 0.25;
const RATIO_MAX = 10;

/**
 * Estimates the effects of inputs within a series. Positive targets are regressed as logarithms; targets with zeros by
 * Poisson regression, which needs no logarithm of 0. Errors that persist are removed first (Cochrane and Orcutt 1949).
 *
 * @param cycle steps of the longest calendar season, the length of a block with its own level
 */
export function seriesEquations(
  { columns, targets, indexes }: SeriesRows,
  link: PanelLearner["link"],
  cycle: number,
): SeriesEquations {
  const blocks = blocksOf(indexes, BLOCK_CYCLES * cycle);
  if (link === "log" && targets.some((value) => value <= 0))
    return poissonEquations(columns, targets, indexes, blocks);
  const response = link === "log" ? targets.map(Math.log) : targets.slice();
  const weights = new Float64Array(targets.length).fill(1);
  const first = normalEquations(columns, response, weights, blocks);
  const start = solved(first, FIRST_PENALTY);
  const rest = remainders(columns, response, start, blocks, weights);
  clip(response, rest);
  const kept = persistence(rest, indexes);
  const changed =
    kept > 0 ? withoutKept(columns, response, indexes, kept) : { columns, response, rows: null };
  const usedBlocks = changed.rows ? changed.rows.map((row) => blocks[row]!) : blocks;
  const ones = new Float64Array(changed.response.length).fill(1);
  const equations = normalEquations(changed.columns, changed.response, ones, usedBlocks);
  const estimate = solved(equations, FIRST_PENALTY);
  const errors = remainders(changed.columns, changed.response, estimate, usedBlocks, ones);
  return divided(equations, varianceOf(errors, columns.length));
}

/** Divides a series into blocks of the cycle; a short rest belongs to the block before it. */
function blocksOf(indexes: Float64Array, cycle: number): Int32Array {
  const first = indexes[0] ?? 0;
  const count = Math.max(1, Math.floor(((indexes.at(-1) ?? 0) - first + 1) / cycle));
  return Int32Array.from(indexes, (index) => Math.min(count - 1, Math.floor((index - first) / cycle)));
}

/** Computes XᵀWX and XᵀWz of columns and response minus their weighted means of each block. */
function normalEquations(
  columns: readonly Float64Array[],
  response: Float64Array,
  weights: Float64Array,
  blocks: Int32Array,
): SeriesEquations {
  const size = columns.length;
  const centred = columns.map((column) => withoutMeans(column, weights, blocks));
  const rest = withoutMeans(response, weights, blocks);
  const information = new Float64Array(size * size);
  const pull = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const weighted = centred[i]!.map((value, row) => value * weights[row]!);
    let sum = 0;
    for (let row = 0; row < rest.length; row++) sum += weighted[row]! * rest[row]!;
    pull[i] = sum;
    for (let j = 0; j <= i; j++) {
      const other = centred[j]!;
      let product = 0;
      for (let row = 0; row < rest.length; row++) product += weighted[row]! * other[row]!;
      information[i * size + j] = product;
      information[j * size + i] = product;
    }
  }
  return { information, pull };
}

function withoutMeans(values: Float64Array, weights: Float64Array, blocks: Int32Array): Float64Array {
  const count = (blocks.at(-1) ?? 0) + 1;
  const sums = new Float64Array(count);
  const totals = new Float64Array(count);
  for (let row = 0; row < values.length; row++) {
    sums[blocks[row]!]! += weights[row]! * values[row]!;
    totals[blocks[row]!]! += weights[row]!;
  }
  return values.map(
    (value, row) => value - (totals[blocks[row]!]! > 0 ? sums[blocks[row]!]! / totals[blocks[row]!]! : 0),
  );
}

/** Solves the equations with a penalty in units of the information of one row. */
function solved({ information, pull }: SeriesEquations, penalty: number): Float64Array {
  const size = pull.length;
  const matrix = information.slice();
  for (let i = 0; i < size; i++) matrix[i * size + i]! += penalty;
  return solveCholesky(cholesky(matrix, size), pull, size);
}

function remainders(
  columns: readonly Float64Array[],
  response: Float64Array,
  effects: Float64Array,
  blocks: Int32Array,
  weights: Float64Array,
): Float64Array {
  const rest = response.slice();
  columns.forEach((column, at) => {
    const effect = effects[at]!;
    for (let row = 0; row < rest.length; row++) rest[row]! -= effect * column[row]!;
  });
  return withoutMeans(rest, weights, blocks);
}

/** Moves responses that are far from their fit closer to it: one wrong value must not decide an effect. */
function clip(response: Float64Array, rest: Float64Array): void {
  const sizes = rest.map(Math.abs).sort();
  const most = CLIP * 1.4826 * (sizes[sizes.length >> 1] ?? 0);
  if (!(most > 0)) return;
  for (let row = 0; row < rest.length; row++) {
    const excess = Math.abs(rest[row]!) - most;
    if (!(excess > 0)) continue;
    response[row]! -= Math.sign(rest[row]!) * excess;
    rest[row] = Math.sign(rest[row]!) * most;
  }
}

/** Returns the share of a remainder that the next row keeps, from 0 to 1. */
function persistence(rest: Float64Array, indexes: Float64Array): number {
  let product = 0;
  let square = 0;
  for (let row = 1; row < rest.length; row++) {
    if (indexes[row] !== indexes[row - 1]! + 1) continue;
    product += rest[row]! * rest[row - 1]!;
    square += rest[row - 1]! ** 2;
  }
  return Math.max(0, Math.min(0.98, product / square || 0));
}

/** Subtracts the kept part of the row before; leaves out rows after a gap. */
function withoutKept(
  columns: readonly Float64Array[],
  response: Float64Array,
  indexes: Float64Array,
  kept: number,
) {
  const rows = Int32Array.from(indexes.keys()).filter(
    (row) => row > 0 && indexes[row] === indexes[row - 1]! + 1,
  );
  const change = (values: Float64Array) =>
    Float64Array.from(rows, (row) => values[row]! - kept * values[row - 1]!);
  return { columns: columns.map(change), response: change(response), rows };
}

function varianceOf(errors: Float64Array, parameters: number): number {
  const squares = errors.reduce((sum, error) => sum + error * error, 0);
  return squares / Math.max(1, errors.length - Math.min(parameters, errors.length / 2) - 1);
}

/** Divides the equations by the variance of the errors, so that they count as information. */
function divided({ information, pull }: SeriesEquations, variance: number): SeriesEquations {
  // Without any noise, the effects are known exactly.
  const by = Math.max(variance, 1e-6);
  return { information: information.map((value) => value / by), pull: pull.map((value) => value / by) };
}

function poissonEquations(
  columns: readonly Float64Array[],
  targets: Float64Array,
  indexes: Float64Array,
  blocks: Int32Array,
): SeriesEquations {
  const size = columns.length;
  let effects = new Float64Array(size);
  let equations: SeriesEquations = {
    information: new Float64Array(size * size),
    pull: new Float64Array(size),
  };
  let means = targets;
  for (let round = 0; round < ROUNDS; round++) {
    const sums = targets.map((_, row) => {
      const sum = columns.reduce((total, column, at) => total + effects[at]! * column[row]!, 0);
      return Math.min(6, Math.max(-6, sum));
    });
    means = poissonMeans(targets, sums, blocks);
    const response = sums.map((sum, row) =>
      means[row]! > 0 ? sum + Math.min(RATIO_MAX, targets[row]! / means[row]! - 1) : 0,
    );
    equations = normalEquations(columns, response, means, blocks);
    effects = solved(equations, FIRST_PENALTY) as Float64Array<ArrayBuffer>;
  }
  // Variances exceed the mean by a factor. Errors that persist carry less information.
  const errors = targets.map((value, row) =>
    means[row]! > 0 ? (value - means[row]!) / Math.sqrt(means[row]!) : 0,
  );
  const kept = persistence(errors, indexes);
  return divided(equations, (varianceOf(errors, size) * (1 + kept)) / (1 - kept));
}

/** Returns the expected values, with each block's level such that its sum is that of the targets. */
function poissonMeans(targets: Float64Array, sums: Float64Array, blocks: Int32Array): Float64Array {
  const count = (blocks.at(-1) ?? 0) + 1;
  const seen = new Float64Array(count);
  const expected = new Float64Array(count);
  const factors = sums.map(Math.exp);
  for (let row = 0; row < targets.length; row++) {
    seen[blocks[row]!]! += targets[row]!;
    expected[blocks[row]!]! += factors[row]!;
  }
  return factors.map((factor, row) => (factor * seen[blocks[row]!]!) / expected[blocks[row]!]!);
}
