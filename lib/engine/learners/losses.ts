import { quantileOf } from "#lib/engine/statistics/quantile";
import { logLossAt, logOddsOfRate, probabilityOf } from "./log-odds.ts";

export const LOSS_NAMES = ["squared", "absolute", "quantile", "poisson", "logistic"] as const;
export type LossName = (typeof LOSS_NAMES)[number];

/** Rows of a leaf: several arrays of row indices, in arbitrary order. */
type LeafRows = readonly Int32Array[];

/**
 * Loss that boosting minimises (Friedman 2001). Each tree is grown on the pseudo-residuals (the negative gradient of
 * the loss by the score). Each leaf then takes the optimal value for its rows. A score is the sum of a row's leaves.
 *
 * Results must not depend on the order of rows, because threads share the rows.
 */
export type Loss = {
  /** If present, the prediction is e^score instead of the score. */
  link?: "exp";
  /** Returns the optimal constant score. @throws RangeError for targets for which the loss is undefined. */
  baseScore(target: Float64Array): number;
  /** Writes the pseudo-residuals of the rows `from … to - 1` into `out`. Returns the sum of their absolute values. */
  fillResiduals(
    target: Float64Array,
    scores: Float64Array,
    out: Float64Array,
    from: number,
    to: number,
  ): number;
  /**
   * Returns the optimal change of a leaf's scores, given the sum of its pseudo-residuals and the number of its rows.
   */
  leafValue(sum: number, count: number, rows: LeafRows, target: Float64Array, scores: Float64Array): number;
  /** Early-stopping metric: RMSE, mean absolute error, mean pinball loss, mean Poisson deviance or mean log loss. */
  error(target: Float64Array, scores: Float64Array): number;
};

type LossParams = { loss: LossName; quantile: number; l1: number; l2: number };

export function lossOf({ loss, quantile, l1, l2 }: LossParams): Loss {
  if (loss === "poisson") return poissonLoss(l1, l2);
  if (loss === "logistic") return logisticLoss(l1, l2);
  if (loss === "squared") return squaredLoss(l1, l2);
  return pinballLoss(loss === "absolute" ? 0.5 : quantile, loss === "absolute" ? 2 : 1);
}

/** Moves a sum towards 0 by l1, but not past 0. */
export function shrink(sum: number, l1: number): number {
  return sum > l1 ? sum - l1 : sum < -l1 ? sum + l1 : 0;
}

function squaredLoss(l1: number, l2: number): Loss {
  return {
    baseScore: meanOf,
    fillResiduals(target, scores, out, from, to) {
      let total = 0;
      for (let row = from; row < to; row++) {
        const residual = target[row]! - scores[row]!;
        out[row] = residual;
        total += Math.abs(residual);
      }
      return total;
    },
    leafValue: (sum, count) => shrink(sum, l1) / (count + l2),
    error: (target, scores) => Math.sqrt(meanLoss(target, scores, (y, score) => (y - score) ** 2)),
  };
}

/**
 * Pinball loss |y - score|, weighted by `at` for rows above their score and by 1 - `at` for rows below. Penalties
 * affect splits only.
 */
function pinballLoss(at: number, factor: number): Loss {
  let differences = new Float64Array(0);
  return {
    baseScore: (target) => quantileOf(target.slice(), target.length, at),
    fillResiduals(target, scores, out, from, to) {
      let total = 0;
      for (let row = from; row < to; row++) {
        const difference = target[row]! - scores[row]!;
        const residual = difference > 0 ? at : difference < 0 ? at - 1 : 0;
        out[row] = residual;
        total += Math.abs(residual);
      }
      return total;
    },
    leafValue(_sum, count, pieces, target, scores) {
      if (differences.length < count) differences = new Float64Array(count);
      let next = 0;
      for (const rows of pieces) {
        for (let i = 0; i < rows.length; i++) differences[next++] = target[rows[i]!]! - scores[rows[i]!]!;
      }
      return quantileOf(differences, count, at);
    },
    error: (target, scores) =>
      factor * meanLoss(target, scores, (y, score) => (y - score) * (y > score ? at : at - 1)),
  };
}

/** Maximum change of a score per tree. Without it, leaves without events would move to minus infinity. */
const LARGEST_STEP = 4;
/** Logarithm of a rate that is practically 0. */
const LEAST_SCORE = -30;

/**
 * Poisson loss for counts and rates: the score is the logarithm of the mean. Residuals are divided by their standard
 * deviation (Pearson), so that splits among rare events count appropriately. L2 counts as that many expected and
 * observed events.
 */
function poissonLoss(l1: number, l2: number): Loss {
  // Sums of integers below 2^53 are exact in any order: events are rounded to steps of 1 / fine.
  let fine = 1;
  return {
    link: "exp",
    baseScore(target) {
      if (target.some((y) => y < 0))
        throw new RangeError("The target has negative values. Poisson loss needs 0 or more.");
      const mean = meanOf(target);
      fine = mean > 0 ? 2 ** Math.min(1000, Math.floor(45 - Math.log2(mean * target.length))) : 1;
      return mean > 0 ? Math.max(LEAST_SCORE, Math.log(mean)) : LEAST_SCORE;
    },
    fillResiduals(target, scores, out, from, to) {
      let total = 0;
      for (let row = from; row < to; row++) {
        const mean = Math.exp(scores[row]!);
        const residual = (target[row]! - mean) / Math.sqrt(mean);
        out[row] = residual;
        total += Math.abs(residual);
      }
      return total;
    },
    leafValue(_sum, _count, pieces, target, scores) {
      let seen = 0;
      let expected = 0;
      for (const rows of pieces) {
        for (let i = 0; i < rows.length; i++) {
          seen += Math.round(target[rows[i]!]! * fine);
          expected += Math.round(Math.exp(scores[rows[i]!]!) * fine);
        }
      }
      const excess = shrink((seen - expected) / fine, l1);
      const ratio = 1 + excess / (expected / fine + l2);
      return Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, ratio > 0 ? Math.log(ratio) : -LARGEST_STEP));
    },
    error: (target, scores) =>
      meanLoss(target, scores, (y, score) => {
        const mean = Math.exp(score);
        return 2 * ((y > 0 ? y * Math.log(y / mean) : 0) - y + mean);
      }),
  };
}

/**
 * Log loss of a target of 0 and 1: the score is the log-odds of 1. Leaves take one Newton step (Friedman 2001,
 * algorithm 5).
 */
function logisticLoss(l1: number, l2: number): Loss {
  // Sums of integers below 2^53 are exact in any order: curvatures are rounded to steps of 1 / fine.
  let fine = 1;
  return {
    baseScore(target) {
      fine = 2 ** Math.floor(45 - Math.log2(target.length + 1));
      return logOddsOfRate(meanOf(target), target.length);
    },
    fillResiduals(target, scores, out, from, to) {
      let total = 0;
      for (let row = from; row < to; row++) {
        const residual = target[row]! - probabilityOf(scores[row]!);
        out[row] = residual;
        total += Math.abs(residual);
      }
      return total;
    },
    leafValue(sum, _count, pieces, _target, scores) {
      let curvature = 0;
      for (const rows of pieces) {
        for (let i = 0; i < rows.length; i++) {
          const probability = probabilityOf(scores[rows[i]!]!);
          curvature += Math.round(probability * (1 - probability) * fine);
        }
      }
      const excess = shrink(sum, l1);
      if (excess === 0) return 0;
      return Math.max(-LARGEST_STEP, Math.min(LARGEST_STEP, excess / (curvature / fine + l2)));
    },
    error: (target, scores) => meanLoss(target, scores, logLossAt),
  };
}

function meanOf(target: Float64Array): number {
  return target.reduce((sum, y) => sum + y, 0) / target.length;
}

function meanLoss(target: Float64Array, scores: Float64Array, loss: (y: number, score: number) => number) {
  let sum = 0;
  for (let row = 0; row < target.length; row++) sum += loss(target[row]!, scores[row]!);
  return sum / target.length;
}
