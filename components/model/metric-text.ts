import { formatNumber, roundedPercent } from "#components/ui/format.ts";
import type { TrainingMetrics } from "#lib/contract/models";

const meanings: Record<string, string> = {
  rmse: "Root mean squared error, in the target's unit; large errors weigh more",
  mae: "Mean absolute error, in the target's unit",
  mape: "Mean absolute error in per cent of the actual value",
  r2: "Share of the variation that is explained; 1 is perfect",
  bias: "Mean of predicted less actual; above 0 it predicts too much",
};

export { metricName } from "#lib/contract/metric-names";
export const metricMeaning = (metric: string) => meanings[metric];

export function formatMetric(metric: string, value: number | null | undefined): string {
  return metric === "mape" && value !== null && value !== undefined
    ? `${formatNumber(value)} %`
    : formatNumber(value);
}

/**
 * How much better than the baseline, in per cent of the baseline's error (for R², of what it left unexplained); below 0
 * is worse. Null where there is nothing to compare, or where the metric has no better and worse.
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

/** "42 % better than the naive baseline"; "100 %" only where no error is left. */
export function improvementText(percent: number | null): string | null {
  if (percent === null) return null;
  const size = `${roundedPercent(Math.abs(percent), 0)} %`;
  return percent >= 0 ? `${size} better` : `${size} worse`;
}

const order = ["rmse", "mae", "mape", "r2", "bias"];

/** Every metric that any of the sets has, in the usual order, the unknown ones last. */
export function metricsOf(...sets: TrainingMetrics["validation"][]): string[] {
  const found = new Set(sets.flatMap((set) => Object.keys(set ?? {})));
  return [...order.filter((name) => found.has(name)), ...[...found].filter((name) => !order.includes(name))];
}
