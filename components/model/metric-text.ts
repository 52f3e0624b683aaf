import { formatNumber, roundedPercent } from "#components/ui/format.ts";
import type { TrainingMetrics } from "#lib/contract/models";

const meanings: Record<string, string> = {
  rmse: "Root mean squared error, in the target's unit; large errors weigh more",
  mae: "Mean absolute error, in the target's unit",
  mape: "Mean absolute error in per cent of the actual value",
  r2: "Share of the variation that is explained; 1 is perfect",
  bias: "Mean of predicted minus actual; above 0, predictions are too high",
};

export { metricName } from "#lib/contract/metric-names";
export const metricMeaning = (metric: string) => meanings[metric];

export function formatMetric(metric: string, value: number | null | undefined): string {
  return metric === "mape" && value !== null && value !== undefined
    ? `${formatNumber(value)} %`
    : formatNumber(value);
}

/**
 * Returns the improvement over the naive forecast, in per cent of the naive forecast's error (for R², of its
 * unexplained share). Negative values are worse. Returns null without comparable values, or for a metric that has no
 * better or worse.
 */
export function improvementPercent(
  metric: string,
  value: number | null | undefined,
  baseline: number | null | undefined,
): number | null {
  if (value === null || value === undefined || baseline === null || baseline === undefined) return null;
  if (metric === "bias") return null;
  const error = (number: number) => (metric === "r2" ? 1 - number : number);
  return error(baseline) > 0 ? 100 * (1 - error(value) / error(baseline)) : null;
}

/** Describes an improvement: "42 % better"; shows 100 % only if no error is left. */
export function improvementText(percent: number | null): string | null {
  if (percent === null) return null;
  const size = `${roundedPercent(Math.abs(percent), 0)} %`;
  return percent >= 0 ? `${size} better` : `${size} worse`;
}

const order = ["rmse", "mae", "mape", "r2", "bias"];

/** Returns the metrics of all sets in the usual order, unknown ones last. */
export function metricsOf(...sets: TrainingMetrics["validation"][]): string[] {
  const found = new Set(sets.flatMap((set) => Object.keys(set ?? {})));
  return [...order.filter((name) => found.has(name)), ...[...found].filter((name) => !order.includes(name))];
}
