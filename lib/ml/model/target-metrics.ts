import type { Metrics, TargetMetric } from "#lib/engine/inference/model-files";
import { meanPinball, regressionMetrics } from "#lib/engine/learners/metrics";
import type { Hyperparameters } from "./learner.ts";

/** The metric turned so that less is better. */
function error(metric: TargetMetric, metrics: Metrics): number {
  const value = metrics[metric];
  if (value === null || Number.isNaN(value)) return Number.POSITIVE_INFINITY;
  return metric === "r2" ? 1 - value : value;
}

/** What candidates are compared by: the metric or, with the loss of a quantile, that loss. Less is better. */
export function comparedError(
  metric: TargetMetric,
  { loss, quantile = 0.5 }: Hyperparameters,
  actual: Float64Array,
  predicted: Float64Array,
): number {
  return loss === "quantile"
    ? meanPinball(actual, predicted, quantile)
    : error(metric, regressionMetrics(actual, predicted));
}
