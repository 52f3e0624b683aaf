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

/** Penalties tried if `alpha` is omitted, smallest first. */
const ALPHA_GRID = [0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000];

/**
 * Fits ridge regression in closed form (Hoerl and Kennard 1970) with standardised columns and an unpenalised
 * intercept. A constant column, or a column that others already determine, gets 0. Without `alpha`, the penalty with
 * the lowest error over five blocks of rows is chosen. Each block is predicted from the blocks before it or, for rows
 * in random order, from all others.
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
  const splits = penaltySplits(design, order);
  if (splits.length === 0) return 1;
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
