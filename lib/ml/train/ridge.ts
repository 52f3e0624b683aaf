import { cholesky, solveCholesky } from "./cholesky.ts";
import {
  addMoments,
  centredMoments,
  emptyMoments,
  type Moments,
  squaredError,
  sumMoments,
} from "./moments.ts";

/** Prediction = intercept + Σ coefficient × x, in the features' own units. */
export type LinearModel = {
  kind: "linear";
  coefficients: Float64Array;
  intercept: number;
  /** Mean of each training column: where a feature contributes nothing. */
  means: Float64Array;
  /** Standard deviation of each training column. */
  deviations?: Float64Array;
  /** The penalty that was used, per standardised column. */
  alpha?: number;
};

/** Tried where no penalty is given, smallest first. */
const ALPHA_GRID = [0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000];
const VALIDATION_BLOCKS = 5;
/** Below this many rows a block cannot be validated on; the penalty is then 1. */
const LEAST_BLOCK_ROWS = 4;

/**
 * Ridge regression in closed form (Hoerl and Kennard 1970): columns are standardised, the intercept is not
 * penalised. A constant column, or one that others already determine, gets 0. Without `alpha` the penalty is the one
 * with the least error when each of five consecutive blocks of rows is predicted from the blocks before it: rows in
 * time order are never predicted from later ones.
 *
 * @throws RangeError for columns of unequal length, a negative penalty, or values that are missing or infinite.
 */
export function trainRidge(
  columns: Float32Array[],
  target: Float64Array,
  options: { alpha?: number } = {},
): LinearModel {
  checkData(columns, target, options.alpha);
  const scaling = columns.map(standardisation);
  const targetMean = target.reduce((sum, y) => sum + y, 0) / target.length;

  const blocks = Array.from({ length: VALIDATION_BLOCKS }, (_, block) => {
    const from = Math.floor((block * target.length) / VALIDATION_BLOCKS);
    const to = Math.floor(((block + 1) * target.length) / VALIDATION_BLOCKS);
    const moments = emptyMoments(columns.length);
    addMoments(moments, columns, scaling, target, targetMean, from, to);
    return moments;
  });
  const alpha = options.alpha ?? chooseAlpha(blocks);
  const fit = solve(sumMoments(blocks), alpha);

  const coefficients = fit.weights.map((weight, feature) => weight * scaling[feature]!.perDeviation);
  const means = Float64Array.from(scaling, (column) => column.mean);
  const offset = coefficients.reduce((sum, coefficient, feature) => sum + coefficient * means[feature]!, 0);
  const deviations = Float64Array.from(scaling, ({ perDeviation }) =>
    perDeviation > 0 ? 1 / perDeviation : 0,
  );
  const intercept = targetMean + fit.intercept - offset;
  return { kind: "linear", coefficients, intercept, means, deviations, alpha };
}

/** The model's output for each row, in float64. */
export function predictLinear(model: LinearModel, columns: Float32Array[]): Float64Array {
  const { coefficients, means, intercept } = model;
  const atMeans = coefficients.reduce(
    (sum, coefficient, feature) => sum + coefficient * means[feature]!,
    intercept,
  );
  const predictions = new Float64Array(columns[0]?.length ?? 0).fill(atMeans);
  columns.forEach((column, feature) => {
    const coefficient = coefficients[feature]!;
    if (coefficient === 0) return;
    const mean = means[feature]!;
    for (let row = 0; row < column.length; row++) predictions[row]! += coefficient * (column[row]! - mean);
  });
  return predictions;
}

function chooseAlpha(blocks: Moments[]): number {
  if (blocks.some((block) => block.count < LEAST_BLOCK_ROWS)) return 1;
  let best = { alpha: 1, error: Infinity };
  for (const alpha of ALPHA_GRID) {
    let error = 0;
    for (let block = 1; block < blocks.length; block++) {
      const { weights, intercept } = solve(sumMoments(blocks.slice(0, block)), alpha);
      error += squaredError(blocks[block]!, weights, intercept);
    }
    // Of penalties that do as well, the smallest; rounding in the closed-form errors is not a difference.
    if (error < best.error * (1 - 1e-9)) best = { alpha, error };
  }
  return best.alpha;
}

/** Weights and intercept for standardised columns and the centred target. */
function solve(moments: Moments, alpha: number): { weights: Float64Array; intercept: number } {
  const { gram, cross, columnMeans, targetMean } = centredMoments(moments);
  const size = cross.length;
  for (let i = 0; i < size; i++) gram[i * size + i]! += alpha;
  const weights = solveCholesky(cholesky(gram, size), cross, size);
  const intercept = weights.reduce((rest, weight, i) => rest - weight * columnMeans[i]!, targetMean);
  return { weights, intercept };
}

/** Mean, and 1 / standard deviation (0 for a constant column). Two passes: no cancellation for large means. */
function standardisation(column: Float32Array): { mean: number; perDeviation: number } {
  let sum = 0;
  for (const x of column) sum += x;
  const mean = sum / column.length;
  let squares = 0;
  for (const x of column) squares += (x - mean) ** 2;
  const deviation = Math.sqrt(squares / column.length);
  // A spread this far below float32's resolution at the mean is rounding of the mean, not information.
  return { mean, perDeviation: deviation > Math.abs(mean) * 1e-12 ? 1 / deviation : 0 };
}

function checkData(columns: Float32Array[], target: Float64Array, alpha: number | undefined): void {
  if (target.length === 0) throw new RangeError("There are no rows.");
  if (alpha !== undefined && !(alpha >= 0 && alpha < Infinity)) {
    throw new RangeError(`alpha must be 0 or more, not ${alpha}.`);
  }
  if (columns.some((column) => column.length !== target.length)) {
    throw new RangeError(`Every column must have as many values as the target: ${target.length}.`);
  }
  const known = (x: number) => Number.isFinite(x);
  if (!target.every(known)) throw new RangeError("The target has missing or infinite values.");
  const faulty = columns.findIndex((column) => !column.every(known));
  if (faulty >= 0) throw new RangeError(`Column ${faulty} has missing or infinite values.`);
}
