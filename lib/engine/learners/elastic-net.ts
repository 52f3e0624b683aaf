import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
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
import { solveRidge } from "./ridge.ts";

export type ElasticNetOptions = {
  /** Penalty a row, for standardised columns, as in scikit-learn's ElasticNet. */
  alpha?: number | undefined;
  /** Part of the penalty on absolute values (1: lasso); the rest is on squares (0: ridge). */
  l1Ratio?: number | undefined;
  order?: RowOrder | undefined;
  shouldStop?: (() => boolean) | undefined;
};

const L1_RATIOS = [0.5, 0.9, 1];
/** Penalties tried: from the least that makes every coefficient 0 down to this part of it. */
const PATH_LENGTH = 30;
const PATH_END = 1e-3;
const PATH_TOLERANCE = 1e-5;
/** Penalties tried beyond the one with the least error so far. */
const PATH_PATIENCE = 5;
const TOLERANCE = 1e-9;
/** Steps from the least penalty that makes every coefficient 0 down to the one that is asked for. */
const WARM_STEPS_MAX = 60;
/** Beyond this, columns so alike that descent creeps are left where they are: the error no longer changes. */
const PATH_SWEEPS_MAX = 300;
const SWEEPS_MAX = 5_000;
/** With many columns a sweep is long, and there are fewer: so many products at most, but never under the path's sweeps. */
const PRODUCTS_MAX = 5e8;
const SWEEPS_BETWEEN_QUESTIONS = 100;

/**
 * Least squares with a penalty that sets coefficients to 0 (Zou and Hastie 2005), by coordinate descent on the Gram
 * matrix (Friedman, Hastie and Tibshirani 2010): ½·|y − Xw|²/n + alpha·(l1Ratio·Σ|w| + ½·(1 − l1Ratio)·Σw²) over
 * standardised columns. What is not given is chosen as in `trainRidge`, alpha on a path with warm starts.
 *
 * @throws RangeError as `trainRidge`, and for an l1Ratio outside 0 to 1; TrainingCancelled.
 */
export function trainElasticNet(
  columns: Float32Array[],
  target: Float64Array,
  options: ElasticNetOptions = {},
): LinearModel {
  return fitElasticNet(linearDesign(columns, target), options);
}

function fitElasticNet(design: LinearDesign, options: ElasticNetOptions = {}): LinearModel {
  const { alpha, l1Ratio } = options;
  if (alpha !== undefined && !(alpha >= 0 && alpha < Infinity)) {
    throw new RangeError(`alpha must be 0 or more, not ${alpha}.`);
  }
  if (l1Ratio !== undefined && !(l1Ratio >= 0 && l1Ratio <= 1)) {
    throw new RangeError(`l1Ratio must be from 0 to 1, not ${l1Ratio}.`);
  }
  const penalty =
    alpha !== undefined && l1Ratio !== undefined ? { alpha, l1Ratio } : choosePenalty(design, options);
  const solution = solveElasticNet(sumMoments(design.blocks), penalty, options.shouldStop);
  return linearModel(design, solution, penalty);
}

type Penalty = { alpha: number; l1Ratio: number };

/** One solution in full accuracy; in closed form where no absolute value is penalised. */
function solveElasticNet(
  moments: Moments,
  { alpha, l1Ratio }: Penalty,
  shouldStop: ElasticNetOptions["shouldStop"],
): Solution {
  if (alpha * l1Ratio === 0) return solveRidge(moments, moments.count * alpha);
  const descent = coordinateDescent(moments, shouldStop);
  // Down the path to the penalty: each solution is near the next, which plain descent from 0 is not. By logarithms: the
  // quotient of the ends may be beyond what a number holds.
  const from = Math.log(descent.alphaMax(l1Ratio));
  const way = Math.log(alpha) - from;
  const steps = way < 0 && Number.isFinite(way) ? Math.min(WARM_STEPS_MAX, Math.ceil(-way * 2)) : 0;
  for (let step = 0; step < steps; step++) {
    descent.onPath({ alpha: Math.exp(from + (way * step) / steps), l1Ratio });
  }
  return descent.exactly({ alpha, l1Ratio });
}

function choosePenalty(design: LinearDesign, options: ElasticNetOptions): Penalty {
  const { order = "time", shouldStop } = options;
  const splits = penaltySplits(design, order).map(({ train, test }) => ({
    test,
    descent: coordinateDescent(train, shouldStop),
  }));
  const whole = coordinateDescent(sumMoments(design.blocks), shouldStop);
  let best = { alpha: options.alpha ?? 0.01, l1Ratio: options.l1Ratio ?? L1_RATIOS[0]!, error: Infinity };
  for (const l1Ratio of options.l1Ratio === undefined ? L1_RATIOS : [options.l1Ratio]) {
    const alphas = options.alpha === undefined ? path(whole.alphaMax(l1Ratio)) : [options.alpha];
    for (const { descent } of splits) descent.reset();
    let least = { error: Infinity, at: 0 };
    for (const [at, alpha] of alphas.entries()) {
      // Smaller penalties take longest, and are not worth it once the error has begun to rise.
      if (at - least.at > PATH_PATIENCE) break;
      const error = splits.reduce((sum, { descent, test }) => {
        const { weights, intercept } = descent.onPath({ alpha, l1Ratio });
        return sum + squaredError(test, weights, intercept);
      }, 0);
      if (error < least.error) least = { error, at };
      if (splits.length > 0 && error < best.error * (1 - 1e-9)) best = { alpha, l1Ratio, error };
    }
  }
  return { alpha: best.alpha, l1Ratio: best.l1Ratio };
}

function path(alphaMax: number): number[] {
  if (!(alphaMax > 0)) return [0.01];
  return Array.from({ length: PATH_LENGTH }, (_, i) => alphaMax * PATH_END ** (i / (PATH_LENGTH - 1)));
}

/** Descent on one set of rows; each solution starts from the one before. */
function coordinateDescent(moments: Moments, shouldStop: ElasticNetOptions["shouldStop"]) {
  const { gram, cross, columnMeans, targetMean } = centredMoments(moments);
  const { count } = moments;
  const size = cross.length;
  const weights = new Float64Array(size);
  /** Xᵀ(y − Xw), kept up to date. */
  const gradient = cross.slice();
  const all = Int32Array.from({ length: size }, (_, i) => i);
  const unit = Math.sqrt(Math.max(moments.targetSquares - moments.targetSum * targetMean, 1e-300));

  /** Moves each of the weights to its own best; the largest change of the fit, in parts of the target's length. */
  const sweep = (features: Int32Array, l1: number, l2: number): number => {
    let largest = 0;
    for (const j of features) {
      const curvature = gram[j * size + j]!;
      if (curvature <= 0) continue;
      const before = weights[j]!;
      const pull = gradient[j]! + curvature * before;
      const after =
        pull > l1 ? (pull - l1) / (curvature + l2) : pull < -l1 ? (pull + l1) / (curvature + l2) : 0;
      const change = after - before;
      if (change === 0) continue;
      weights[j] = after;
      for (let i = 0, at = j * size; i < size; i++, at++) gradient[i]! -= change * gram[at]!;
      largest = Math.max(largest, (Math.abs(change) * Math.sqrt(curvature)) / unit);
    }
    return largest;
  };

  const solve = ({ alpha, l1Ratio }: Penalty, tolerance: number, sweepsMax: number): Solution => {
    const l1 = count * alpha * l1Ratio;
    const l2 = count * alpha * (1 - l1Ratio);
    let sweeps = 0;
    const moves = (features: Int32Array) => {
      if (sweeps % SWEEPS_BETWEEN_QUESTIONS === 0 && shouldStop?.()) throw new TrainingCancelled();
      return sweeps++ < sweepsMax && sweep(features, l1, l2) > tolerance;
    };
    // Whoever is not 0 moves until all rest; then everyone is asked again.
    while (moves(all)) {
      const active = all.filter((j) => weights[j] !== 0);
      while (moves(active));
    }
    const intercept = weights.reduce((rest, weight, i) => rest - weight * columnMeans[i]!, targetMean);
    return { weights: weights.slice(), intercept };
  };
  const affordable = Math.floor(PRODUCTS_MAX / (size * size));

  return {
    /** The least alpha with which every weight is 0. */
    alphaMax: (l1Ratio: number) =>
      cross.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / (count * Math.max(l1Ratio, 0.01)),
    reset: () => {
      weights.fill(0);
      gradient.set(cross);
    },
    /** Near enough to compare penalties, and to begin the next one from. */
    onPath: (penalty: Penalty) => solve(penalty, PATH_TOLERANCE, PATH_SWEEPS_MAX),
    exactly: (penalty: Penalty) =>
      solve(penalty, TOLERANCE, Math.max(PATH_SWEEPS_MAX, Math.min(SWEEPS_MAX, affordable))),
  };
}
