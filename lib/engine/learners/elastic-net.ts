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
import { TrainingCancelled } from "./training-errors.ts";

type ElasticNetOptions = {
  /** Penalty per row, for standardised columns, as in scikit-learn's ElasticNet. */
  alpha?: number | undefined;
  /** Fraction of the penalty on absolute values (1: lasso); the rest is on squares (0: ridge). */
  l1Ratio?: number | undefined;
  order?: RowOrder | undefined;
  shouldStop?: (() => boolean) | undefined;
};

const L1_RATIOS = [0.5, 0.9, 1];
/** Number of penalties tried. The first is the smallest that makes every coefficient 0. */
const PATH_LENGTH = 30;
/** Last penalty tried, as a fraction of the first. */
const PATH_END = 1e-3;
const PATH_TOLERANCE = 1e-5;
/** Number of penalties tried after the one with the lowest error so far. */
const PATH_PATIENCE = 5;
const TOLERANCE = 1e-9;
/** Maximum number of steps from the smallest penalty that makes every coefficient 0 down to the requested penalty. */
const WARM_STEPS_MAX = 60;
/**
 * Sweep limit on the path. Beyond it, descent makes almost no progress on nearly identical columns and the error no
 * longer changes.
 */
const PATH_SWEEPS_MAX = 300;
const SWEEPS_MAX = 5_000;
/**
 * Limit on products per solution. With many columns a sweep takes long, so fewer sweeps run, but never fewer than on
 * the path.
 */
const PRODUCTS_MAX = 5e8;
const SWEEPS_BETWEEN_STOP_CHECKS = 100;

/**
 * Fits least squares with a penalty that sets coefficients to 0 (Zou and Hastie 2005). It uses coordinate descent on
 * the Gram matrix (Friedman, Hastie and Tibshirani 2010) and minimises, over standardised columns, ½·|y − Xw|²/n +
 * alpha·(l1Ratio·Σ|w| + ½·(1 − l1Ratio)·Σw²). Omitted penalties are chosen as in `trainRidge`, alpha on a path with
 * warm starts.
 *
 * @throws RangeError as `trainRidge`. TrainingCancelled.
 */
export function trainElasticNet(
  columns: Float32Array[],
  target: Float64Array,
  options: ElasticNetOptions = {},
): LinearModel {
  const design = linearDesign(columns, target);
  const { alpha, l1Ratio } = options;
  const penalty =
    alpha !== undefined && l1Ratio !== undefined ? { alpha, l1Ratio } : choosePenalty(design, options);
  const solution = solveElasticNet(sumMoments(design.blocks), penalty, options.shouldStop);
  return linearModel(design, solution, penalty);
}

type Penalty = { alpha: number; l1Ratio: number };

/** Solves to full accuracy; in closed form if absolute values are not penalised. */
function solveElasticNet(
  moments: Moments,
  { alpha, l1Ratio }: Penalty,
  shouldStop: ElasticNetOptions["shouldStop"],
): Solution {
  if (alpha * l1Ratio === 0) return solveRidge(moments, moments.count * alpha);
  const descent = coordinateDescent(moments, shouldStop);
  // Follow the path down to the penalty: each solution is close to the next, but far from a start at 0. Use
  // logarithms, because the ratio of the ends can exceed the range of a number.
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
  const allRows = coordinateDescent(sumMoments(design.blocks), shouldStop);
  let best = { alpha: options.alpha ?? 0.01, l1Ratio: options.l1Ratio ?? L1_RATIOS[0]!, error: Infinity };
  for (const l1Ratio of options.l1Ratio === undefined ? L1_RATIOS : [options.l1Ratio]) {
    const alphas = options.alpha === undefined ? path(allRows.alphaMax(l1Ratio)) : [options.alpha];
    for (const { descent } of splits) descent.reset();
    let least = { error: Infinity, at: 0 };
    for (const [at, alpha] of alphas.entries()) {
      // Smaller penalties take longest, and are not worth the time once the error has begun to rise.
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

/** Runs coordinate descent on one set of rows; each solution starts from the previous one. */
function coordinateDescent(moments: Moments, shouldStop: ElasticNetOptions["shouldStop"]) {
  const { gram, cross, columnMeans, targetMean } = centredMoments(moments);
  const { count } = moments;
  const size = cross.length;
  const weights = new Float64Array(size);
  /** Xᵀ(y − Xw), kept up to date. */
  const gradient = cross.slice();
  const all = Int32Array.from({ length: size }, (_, i) => i);
  const unit = Math.sqrt(Math.max(moments.targetSquares - moments.targetSum * targetMean, 1e-300));

  /** Moves each weight to its own optimum. Returns the largest change of the fit, relative to the target's norm. */
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
      if (sweeps % SWEEPS_BETWEEN_STOP_CHECKS === 0 && shouldStop?.()) throw new TrainingCancelled();
      return sweeps++ < sweepsMax && sweep(features, l1, l2) > tolerance;
    };
    // Sweep the nonzero weights until they converge, then check all weights again.
    while (moves(all)) {
      const active = all.filter((j) => weights[j] !== 0);
      while (moves(active));
    }
    const intercept = weights.reduce((rest, weight, i) => rest - weight * columnMeans[i]!, targetMean);
    return { weights: weights.slice(), intercept };
  };
  const affordable = Math.floor(PRODUCTS_MAX / (size * size));

  return {
    /** Returns the smallest alpha with which every weight is 0. */
    alphaMax: (l1Ratio: number) =>
      cross.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / (count * Math.max(l1Ratio, 0.01)),
    reset: () => {
      weights.fill(0);
      gradient.set(cross);
    },
    /** Solves accurately enough to compare penalties and to start the next solution. */
    onPath: (penalty: Penalty) => solve(penalty, PATH_TOLERANCE, PATH_SWEEPS_MAX),
    exactly: (penalty: Penalty) =>
      solve(penalty, TOLERANCE, Math.max(PATH_SWEEPS_MAX, Math.min(SWEEPS_MAX, affordable))),
  };
}
