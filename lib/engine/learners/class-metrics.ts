import type { ReliabilityBin, ThresholdCounts } from "#lib/contract/classification";
import { type RegressionMetrics, regressionMetrics } from "./metrics.ts";

/** Metrics of predicted probabilities. A metric is null if it is undefined: no pairs, or AUC with one class only. */
export type ClassMetrics = {
  /** Mean negative logarithm of the probability of the actual class. */
  logLoss: number | null;
  /** Mean squared difference between the probability and the class as 0 or 1. */
  brier: number | null;
  /** Probability that a row of the second class has a larger prediction than a row of the first. */
  auc: number | null;
  /** Share of rows whose class is predicted at the threshold 0.5. */
  accuracy: number | null;
  /** Mean difference between predicted and observed shares over the bins of `reliabilityOf`. */
  calibrationError: number | null;
};

/** Minimum probability in the log loss: an imported or rounded 0 has no finite loss. */
const LEAST = 1e-15;
const BINS = 10;

/** Adds the metrics of classes to those of numbers. `actual` holds 0, 1 or NaN for pairs that are skipped. */
export function classMetrics(
  actual: Float64Array,
  predicted: Float64Array,
): RegressionMetrics & ClassMetrics {
  const { rmse, mae, bias } = regressionMetrics(actual, predicted);
  const numbers = { rmse, mae, mape: null, r2: null, bias };
  const { ones, zeros } = byClass(actual, predicted);
  const count = ones.length + zeros.length;
  if (rmse === null)
    return { ...numbers, logLoss: null, brier: null, auc: null, accuracy: null, calibrationError: null };
  const lossOf = (probability: number) => -Math.log(Math.max(LEAST, probability));
  const loss = ones.reduce((sum, p) => sum + lossOf(p), 0) + zeros.reduce((sum, p) => sum + lossOf(1 - p), 0);
  const right = countFrom(ones, 0.5) + zeros.length - countFrom(zeros, 0.5);
  return {
    ...numbers,
    logLoss: loss / count,
    brier: rmse ** 2,
    auc: aucOf(ones, zeros),
    accuracy: right / count,
    calibrationError: reliabilityOf(actual, predicted).reduce(
      (sum, bin) => sum + (bin.rows / count) * Math.abs(bin.predicted - bin.observed),
      0,
    ),
  };
}

/** Returns the bins of width 0.1 that have rows. */
export function reliabilityOf(actual: Float64Array, predicted: Float64Array): ReliabilityBin[] {
  const bins = Array.from({ length: BINS }, () => ({ rows: 0, predicted: 0, observed: 0 }));
  for (let row = 0; row < actual.length; row++) {
    const probability = predicted[row]!;
    if (Number.isNaN(actual[row]! - probability)) continue;
    const bin = bins[Math.max(0, Math.min(BINS - 1, Math.floor(probability * BINS)))]!;
    bin.rows++;
    bin.predicted += probability;
    bin.observed += actual[row]!;
  }
  return bins
    .filter(({ rows }) => rows > 0)
    .map(({ rows, ...sums }) => ({ rows, predicted: sums.predicted / rows, observed: sums.observed / rows }));
}

/** Returns the counts at the thresholds 0.01, 0.02, …, 0.99. */
export function thresholdCounts(actual: Float64Array, predicted: Float64Array): ThresholdCounts[] {
  const { ones, zeros } = byClass(actual, predicted);
  return Array.from({ length: 99 }, (_, at) => {
    const threshold = (at + 1) / 100;
    const [truePositives, falsePositives] = [countFrom(ones, threshold), countFrom(zeros, threshold)];
    return {
      threshold,
      truePositives,
      falsePositives,
      trueNegatives: zeros.length - falsePositives,
      falseNegatives: ones.length - truePositives,
    };
  });
}

/** Returns the predictions of each class in ascending order. */
function byClass(actual: Float64Array, predicted: Float64Array) {
  const of = (label: number) =>
    predicted.filter((value, row) => actual[row] === label && !Number.isNaN(value)).sort();
  return { ones: of(1), zeros: of(0) };
}

/** Returns how many of the ascending values are at least `least`. */
function countFrom(values: Float64Array, least: number): number {
  const at = values.findIndex((value) => value >= least);
  return at < 0 ? 0 : values.length - at;
}

/** Computes the area under the ROC curve from two ascending lists (Mann and Whitney 1947). Ties count half. */
function aucOf(ones: Float64Array, zeros: Float64Array): number | null {
  if (ones.length === 0 || zeros.length === 0) return null;
  let [below, upTo, sum] = [0, 0, 0];
  for (const value of ones) {
    while (below < zeros.length && zeros[below]! < value) below++;
    while (upTo < zeros.length && zeros[upTo]! <= value) upTo++;
    sum += (below + upTo) / 2;
  }
  return sum / ones.length / zeros.length;
}
