import { quantileOf } from "./quantile.ts";

export const LOSS_NAMES = ["squared", "absolute", "quantile", "poisson"] as const;
export type LossName = (typeof LOSS_NAMES)[number];

/** The rows of a leaf: their indices in some pieces, in no order that means anything. */
export type LeafRows = readonly Int32Array[];

/**
 * What boosting minimises (Friedman 2001): each tree is grown on the pseudo-residuals (how the loss falls as the score
 * rises), and each of its leaves then takes the value that suits its rows best. A score is the sum of a row's leaves.
 *
 * No result may depend on the order of rows: threads share them out.
 */
export type Loss = {
  /** Where present, the prediction is not the score but e^score. */
  link?: "exp";
  /** The score that suits all rows best. @throws RangeError for targets that the loss has no meaning for. */
  baseScore(target: Float64Array): number;
  /** Puts the pseudo-residuals of the rows `from … to - 1` into `out` and returns the sum of their sizes. */
  fillResiduals(
    target: Float64Array,
    scores: Float64Array,
    out: Float64Array,
    from: number,
    to: number,
  ): number;
  /** The best change of a leaf's scores, given the sum of its pseudo-residuals and the number of its rows. */
  leafValue(sum: number, count: number, rows: LeafRows, target: Float64Array, scores: Float64Array): number;
  /** What early stopping watches: RMSE, mean absolute error, mean pinball loss or mean Poisson deviance. */
  error(target: Float64Array, scores: Float64Array): number;
};

export type LossParams = { loss: LossName; quantile: number; l1: number; l2: number };

export function lossOf({ loss, quantile, l1, l2 }: LossParams): Loss {
  if (loss === "poisson") return poissonLoss(l1, l2);
  if (loss === "squared") return squaredLoss(l1, l2);
  return pinballLoss(loss === "absolute" ? 0.5 : quantile, loss === "absolute" ? 2 : 1);
}

/** Moves a sum towards 0 by l1, and not beyond. */
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

/** |y - score|, a row above its score counting `at` and one below it 1 - `at`. Penalties weigh in splits alone. */
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

/** Leaves that no event falls into would go to minus infinity: a tree moves a score by no more than this. */
const LARGEST_STEP = 4;
/** The logarithm of a rate that is as good as none. */
const LEAST_SCORE = -30;

/**
 * Counts and rates: the score is the logarithm of the mean. Residuals are divided by their standard deviation (Pearson),
 * so that splits among rare events count as they deserve. L2 counts as so many events, expected and seen.
 */
function poissonLoss(l1: number, l2: number): Loss {
  // Sums of whole numbers below 2^53 are exact, whatever their order: events are rounded to steps of 1 / fine.
  let fine = 1;
  return {
    link: "exp",
    baseScore(target) {
      if (target.some((y) => y < 0))
        throw new RangeError("Poisson loss needs a target that is never negative.");
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

function meanOf(target: Float64Array): number {
  return target.reduce((sum, y) => sum + y, 0) / target.length;
}

function meanLoss(target: Float64Array, scores: Float64Array, loss: (y: number, score: number) => number) {
  let sum = 0;
  for (let row = 0; row < target.length; row++) sum += loss(target[row]!, scores[row]!);
  return sum / target.length;
}
