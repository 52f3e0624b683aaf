import type { Model } from "#lib/contract/models";
import { metricsOf } from "./metric-text.ts";
import { stepText } from "./step-text.ts";

/** Fields that models and their checkpoints share. */
export type ComparedModel = Pick<
  Model,
  "modelName" | "trainedAt" | "trainingRows" | "trainingMetrics" | "inputFeatures" | "featureEngineering"
>;

type ModelDifferences = {
  metrics: { name: string; first: number | null; second: number | null }[];
  features: { onlyFirst: string[]; onlySecond: string[] };
  steps: { onlyFirst: string[]; onlySecond: string[] };
};

/**
 * Compares two models: validation metrics, and the input features and engineering steps that only one of them has.
 */
export function compareModels(first: ComparedModel, second: ComparedModel): ModelDifferences {
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
