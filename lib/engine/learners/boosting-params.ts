import type { LossName } from "./losses.ts";

export type BoostingParams = {
  rounds: number;
  maxLeaves: number;
  learningRate: number;
  /** Minimum number of training rows in a leaf. */
  minLeaf: number;
  /** L1 penalty: subtracted from the size of each leaf's sum of residuals, so that small sums count as 0. */
  l1: number;
  /** L2 penalty: added to the row count in each leaf's mean, which shrinks small leaves. */
  l2: number;
  /** Fraction of the rows, and of the columns, that each tree uses. */
  subsample: number;
  colsample: number;
  maxBins: number;
  seed: number;
  /** Number of rounds without a better validation error before training stops; 0 disables early stopping. */
  earlyStoppingRounds: number;
  /**
   * Loss to minimise. `squared` predicts means and `absolute` medians. `quantile` predicts the value below which the
   * given fraction of the rows lies. `poisson` predicts means of counts and rates: never negative, and the trees add
   * up to the logarithm.
   */
  loss: LossName;
  /** For the loss `quantile`: the fraction of the rows below the prediction, between 0 and 1. */
  quantile: number;
  /**
   * Direction per column: 1 if a larger value must never lower the prediction, -1 if it must never raise it, 0 for
   * none.
   */
  monotone: Int8Array | readonly number[] | null;
};

export const boostingDefaults: BoostingParams = {
  rounds: 300,
  maxLeaves: 31,
  learningRate: 0.1,
  minLeaf: 20,
  l1: 0,
  l2: 0,
  subsample: 1,
  colsample: 1,
  maxBins: 255,
  seed: 1,
  earlyStoppingRounds: 0,
  loss: "squared",
  quantile: 0.5,
  monotone: null,
};
