import { metricsOf } from "#components/model/metric-text.ts";
import { stepText } from "#components/model/step-text.ts";
import type { CheckpointDetail } from "#lib/contract/checkpoints";

type CheckpointDifferences = {
  metrics: { name: string; first: number | null; second: number | null }[];
  features: { onlyFirst: string[]; onlySecond: string[] };
  steps: { onlyFirst: string[]; onlySecond: string[] };
};

/**
 * Compares two checkpoints: validation metrics, and the input features and engineering steps that only one of them has.
 */
export function compareCheckpoints(first: CheckpointDetail, second: CheckpointDetail): CheckpointDifferences {
  const metrics = [first.trainingMetrics.validation, second.trainingMetrics.validation] as const;
  return {
    metrics: metricsOf(...metrics).map((name) => ({
      name,
      first: metrics[0]?.[name] ?? null,
      second: metrics[1]?.[name] ?? null,
    })),
    features: onlyIn(
      first.inputFeatures.map(({ name }) => name),
      second.inputFeatures.map(({ name }) => name),
    ),
    steps: onlyIn(
      first.featureEngineering.steps.map(stepText),
      second.featureEngineering.steps.map(stepText),
    ),
  };
}

function onlyIn(first: readonly string[], second: readonly string[]) {
  const inFirst = new Set(first);
  const inSecond = new Set(second);
  return {
    onlyFirst: [...inFirst].filter((item) => !inSecond.has(item)),
    onlySecond: [...inSecond].filter((item) => !inFirst.has(item)),
  };
}
