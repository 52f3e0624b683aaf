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
};

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
  { alpha, order = "time" }: RidgeOptions = {},
): LinearModel {
  const design = linearDesign(columns, target);
  const penalty = alpha ?? chooseAlpha(design, order);
  return linearModel(design, solveRidge(sumMoments(design.blocks), penalty), { alpha: penalty });
}

function chooseAlpha(design: LinearDesign, order: RowOrder): number {
  const splits = penaltySplits(design, order);
  if (splits.length === 0) return 1;
  let best = { alpha: 1, error: Infinity };
  for (const alpha of ALPHA_GRID) {
    let error = 0;
    for (const { train, test } of splits) {
      const { weights, intercept } = solveRidge(train, alpha);
      error += squaredError(test, weights, intercept);
    }
    // Among equally good penalties, keep the smallest; rounding in the closed-form errors is not a difference.
    if (error < best.error * (1 - 1e-9)) best = { alpha, error };
  }
  return best.alpha;
}

/** Solves least squares with the penalty `alpha` × Σ weight². */
export function solveRidge(moments: Moments, alpha: number): Solution {
  const { gram, cross, columnMeans, targetMean } = centredMoments(moments);
  const size = cross.length;
  for (let i = 0; i < size; i++) gram[i * size + i]! += alpha;
  const weights = solveCholesky(cholesky(gram, size), cross, size);
  const intercept = weights.reduce((rest, weight, i) => rest - weight * columnMeans[i]!, targetMean);
  return { weights, intercept };
}
