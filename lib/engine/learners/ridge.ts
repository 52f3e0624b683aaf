import { cholesky, solveCholesky } from "./cholesky.ts";
import {
  type LinearDesign,
  type LinearModel,
  linearDesign,
  linearModel,
  penaltySplits,
  type RowOrder,
  type Solution,
} from "./linear-design.ts";
import { centredMoments, type Moments, squaredError, sumMoments } from "./moments.ts";

type RidgeOptions = {
  /** Penalty on the squares of the coefficients of standardised columns, as in scikit-learn's Ridge. */
  alpha?: number | undefined;
  order?: RowOrder | undefined;
  /** Sign that each coefficient may have: 1 for none below 0, -1 for none above 0, 0 for any. */
  signs?: Signs | undefined;
};

type Signs = Int8Array | readonly number[];

/** Minimum number of rows for a comparison of penalties: with fewer, chance chooses among them. */
const COMPARED_ROWS_MIN = 30;
/** Penalties tried if `alpha` is omitted, smallest first. */
const ALPHA_GRID = [0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000];

/**
 * Fits ridge regression in closed form (Hoerl and Kennard 1970) with standardised columns and an unpenalised
 * intercept. A constant column, or a column that others already determine, gets 0. Without `alpha`, the penalty with
 * the lowest error over five blocks of rows is chosen. Each block is predicted from the blocks before it or, for rows
 * in random order, from all others. With fewer than 30 rows, the penalty is estimated from the fit.
 *
 * @throws RangeError for columns of unequal length, or values that are missing or infinite.
 */
export function trainRidge(
  columns: Float32Array[],
  target: Float64Array,
  { alpha, order = "time", signs }: RidgeOptions = {},
): LinearModel {
  const design = linearDesign(columns, target);
  const penalty = alpha ?? chooseAlpha(design, order, signs);
  return linearModel(design, solveRidge(sumMoments(design.blocks), penalty, signs), { alpha: penalty });
}

function chooseAlpha(design: LinearDesign, order: RowOrder, signs: Signs | undefined): number {
  const rows = sumMoments(design.blocks);
  if (rows.count < COMPARED_ROWS_MIN) return estimatedAlpha(rows, signs);
  const splits = penaltySplits(design, order);
  let best = { alpha: 1, error: Infinity };
  for (const alpha of ALPHA_GRID) {
    let error = 0;
    for (const { train, test } of splits) {
      const { weights, intercept } = solveRidge(train, alpha, signs);
      error += squaredError(test, weights, intercept);
    }
    // Among equally good penalties, keep the smallest; rounding in the closed-form errors is not a difference.
    if (error < best.error * (1 - 1e-9)) best = { alpha, error };
  }
  return best.alpha;
}

/** Penalty if there are too few rows to estimate one: it weighs as much as 10 rows. */
const UNKNOWN_ALPHA = 10;

/**
 * Estimates the penalty from a fit nearly without one: the variance of the remainder, divided by the mean square of the
 * weights (Hoerl, Kennard and Baldwin 1975). So effects that stand out of the noise are kept, and others shrink. For
 * example, with weights of 3 and a remainder of 1, the penalty weighs as much as a ninth of a row; with weights of 0.2,
 * as much as 25 rows.
 */
function estimatedAlpha(rows: Moments, signs: Signs | undefined): number {
  const least = ALPHA_GRID[0]!;
  const { weights, intercept } = solveRidge(rows, least, signs);
  const used = weights.filter((weight) => weight !== 0).length;
  const freedom = rows.count - used - 1;
  if (used === 0 || freedom <= 0) return UNKNOWN_ALPHA;
  const variance = squaredError(rows, weights, intercept) / freedom;
  const square = weights.reduce((sum, weight) => sum + weight ** 2, 0) / used;
  return Math.max(least, variance / square);
}

/** Solves least squares with the penalty `alpha` × Σ weight², and with weights of the given signs. */
export function solveRidge(moments: Moments, alpha: number, signs?: Signs): Solution {
  const { gram, cross, columnMeans, targetMean } = centredMoments(moments);
  const size = cross.length;
  for (let i = 0; i < size; i++) gram[i * size + i]! += alpha;
  const free = solveCholesky(cholesky(gram, size), cross, size);
  const weights =
    signs && !free.every((weight, i) => weight * signs[i]! >= 0) ? signed(gram, cross, free, signs) : free;
  const intercept = weights.reduce((rest, weight, i) => rest - weight * columnMeans[i]!, targetMean);
  return { weights, intercept };
}

/** Relative change of the weights at which the descent ends, and the maximum number of sweeps. */
const TOLERANCE = 1e-10;
const SWEEPS_MAX = 10_000;

/** Minimises ½ wᵀGw − cᵀw over weights of the given signs, by coordinate descent: the minimum is unique, as G is positive definite. */
function signed(gram: Float64Array, cross: Float64Array, start: Float64Array, signs: Signs): Float64Array {
  const size = cross.length;
  const allowed = (weight: number, sign: number) => (weight * sign < 0 ? 0 : weight);
  const weights = start.map((weight, i) => allowed(weight, signs[i]!));
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    let [moved, largest] = [0, 0];
    for (let i = 0; i < size; i++) {
      const curvature = gram[i * size + i]!;
      if (!(curvature > 0)) continue;
      let rest = cross[i]!;
      for (let j = 0; j < size; j++) if (j !== i) rest -= gram[i * size + j]! * weights[j]!;
      const next = allowed(rest / curvature, signs[i]!);
      moved = Math.max(moved, Math.abs(next - weights[i]!));
      largest = Math.max(largest, Math.abs(next));
      weights[i] = next;
    }
    if (moved <= TOLERANCE * largest) break;
  }
  return weights;
}
