import { formatNumber, roundedPercent } from "#components/ui/format.ts";
import { CLASS_METRICS, isClassMetric, isHigherBetter } from "#lib/contract/metric-names";
import type { TrainingMetrics } from "#lib/contract/models";

const meanings: Record<string, string> = {
  rmse: "Root mean squared error, in the target's unit; large errors weigh more",
  mae: "Mean absolute error, in the target's unit",
  mape: "Mean absolute error in per cent of the actual value",
  r2: "Share of the variation that is explained; 1 is perfect",
  bias: "Mean of predicted minus actual; above 0, predictions are too high",
  logLoss: "Mean negative logarithm of the probability of the actual class",
  brier: "Mean squared difference between the probability and the class as 0 or 1",
  auc: "Probability that a row of the second class gets the larger prediction; 0.5 is chance",
  accuracy: "Share of rows whose predicted class, at the threshold 0.5, is the actual one",
  calibrationError: "Mean difference between predicted and observed shares",
};

export { metricName } from "#lib/contract/metric-names";

/** Returns the name of the reference for models with this target metric. */
export const referenceName = (targetMetric: string) =>
  isClassMetric(targetMetric) ? "base rate" : "naive forecast";

/** Returns the same name for the head of a column. */
export const referenceTitle = (targetMetric: string) =>
  isClassMetric(targetMetric) ? "Base rate" : "Naive forecast";

export const metricMeaning = (metric: string) => meanings[metric];

export function formatMetric(
  metric: string,
  value: number | null | undefined,
  format = formatNumber,
): string {
  return metric === "mape" && value !== null && value !== undefined ? `${format(value)} %` : format(value);
}

/**
 * Returns the improvement over the reference, in per cent of its error. The error of a metric whose best value is 1 is
 * its distance to 1. Negative values are worse. Returns null without comparable values, or for a metric that has no
 * better or worse.
 */
export function improvementPercent(
  metric: string,
  value: number | null | undefined,
  baseline: number | null | undefined,
): number | null {
  if (value === null || value === undefined || baseline === null || baseline === undefined) return null;
  if (metric === "bias" || metric === "calibrationError") return null;
  const error = (number: number) => (isHigherBetter(metric) ? 1 - number : number);
  return error(baseline) > 0 ? 100 * (1 - error(value) / error(baseline)) : null;
}

/** Describes an improvement: "42 % better"; shows 100 % only if no error is left. */
export function improvementText(percent: number | null): string | null {
  if (percent === null) return null;
  const size = `${roundedPercent(Math.abs(percent), 0)} %`;
  return percent >= 0 ? `${size} better` : `${size} worse`;
}

const order = ["rmse", "mae", "mape", "r2", "bias"];
const classOrder = [...CLASS_METRICS, "calibrationError", "bias"];

/** Returns the metrics of all sets in the usual order, unknown ones last. For classes, only the metrics of classes. */
export function metricsOf(...sets: TrainingMetrics["validation"][]): string[] {
  const names = new Set(sets.flatMap((set) => Object.keys(set ?? {})));
  if (CLASS_METRICS.some((name) => names.has(name))) return classOrder.filter((name) => names.has(name));
  return [...order.filter((name) => names.has(name)), ...[...names].filter((name) => !order.includes(name))];
}
