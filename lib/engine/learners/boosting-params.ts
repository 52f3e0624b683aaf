import { counted } from "#lib/contract/counted";
import { LOSS_NAMES, type LossName } from "./losses.ts";

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

const boostingDefaults: BoostingParams = {
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

/** Returns the parameters with defaults filled in. @throws RangeError that names the first parameter out of range. */
export function checkedParams(params: Partial<BoostingParams>, columnCount: number): BoostingParams {
  const settings = { ...boostingDefaults, ...params };
  const demand = (name: keyof BoostingParams, valid: boolean, range: string) => {
    if (!valid) throw new RangeError(`${name} must be ${range}, not ${settings[name]}.`);
  };
  const isWhole = (value: number, from: number, to = Infinity) =>
    Number.isInteger(value) && value >= from && value <= to;
  const isPart = (value: number) => value > 0 && value <= 1;
  const isPenalty = (value: number) => value >= 0 && Number.isFinite(value);
  demand("rounds", isWhole(settings.rounds, 0), "a whole number, 0 or more");
  demand("maxLeaves", isWhole(settings.maxLeaves, 2, 65_536), "a whole number from 2 to 65536");
  demand("learningRate", settings.learningRate > 0 && settings.learningRate <= 10, "above 0 and at most 10");
  demand("minLeaf", isWhole(settings.minLeaf, 1), "a whole number, 1 or more");
  demand("l1", isPenalty(settings.l1), "0 or more");
  demand("l2", isPenalty(settings.l2), "0 or more");
  demand("subsample", isPart(settings.subsample), "above 0 and at most 1");
  demand("colsample", isPart(settings.colsample), "above 0 and at most 1");
  demand("maxBins", isWhole(settings.maxBins, 2, 255), "a whole number from 2 to 255");
  demand("seed", Number.isFinite(settings.seed), "a number");
  demand("earlyStoppingRounds", isWhole(settings.earlyStoppingRounds, 0), "a whole number, 0 or more");
  demand("loss", LOSS_NAMES.includes(settings.loss), `one of ${LOSS_NAMES.join(", ")}`);
  demand("quantile", settings.quantile > 0 && settings.quantile < 1, "between 0 and 1");
  const { monotone } = settings;
  const directions = monotone === null || [...monotone].every((way) => way === -1 || way === 0 || way === 1);
  const oneEach = monotone === null || monotone.length === columnCount;
  demand("monotone", directions && oneEach, `-1, 0 or 1 for each of ${counted(columnCount, "column")}`);
  return settings;
}
