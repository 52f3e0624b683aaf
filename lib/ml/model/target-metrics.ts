import type { Metrics, TargetMetric } from "./model-files.ts";

/** Whether `a` is better than `b` by the metric; a metric that has no value is worse than any. */
export function isBetter(metric: TargetMetric, a: Metrics, b: Metrics): boolean {
  return error(metric, a) < error(metric, b);
}

/** The metric turned so that less is better. */
export function error(metric: TargetMetric, metrics: Metrics): number {
  const value = metrics[metric];
  if (value === null || Number.isNaN(value)) return Number.POSITIVE_INFINITY;
  return metric === "r2" ? 1 - value : value;
}
