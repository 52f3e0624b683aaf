import type { ContributionKind } from "#lib/contract/contribution-parts";
import { FIELD_CYCLE } from "#lib/engine/features/calendar";
import { type FeaturePipeline, type FeatureStep, targetReads } from "#lib/engine/features/pipeline";

/**
 * Returns the input feature of each model input, in the order of `buildFeatures`. The source of a calendar field is
 * the timestamp, that of a lag the target, and that of a ratio its numerator.
 */
export function featureSources(pipeline: FeaturePipeline): string[] {
  return pipeline.steps.flatMap((step) => new Array<string>(outputCount(step)).fill(source(pipeline, step)));
}

/** Feature of the table that a model input comes from, and the kind of part that it contributes. */
export type FeatureSource = { feature: string; kind: ContributionKind };

/** Returns the source of each model input, in the order of `buildFeatures`. */
export function inputSources(pipeline: FeaturePipeline): FeatureSource[] {
  return pipeline.steps.flatMap((step) =>
    new Array<FeatureSource>(outputCount(step)).fill({ feature: source(pipeline, step), kind: kind(step) }),
  );
}

function kind(step: FeatureStep): ContributionKind {
  if (targetReads(step)) return "past";
  if (step.op === "trend") return "level";
  return step.op === "calendar" || step.op === "holiday" ? "calendar" : "input";
}

/** Returns the index of each step's first model input. */
export function stepColumns({ steps }: FeaturePipeline): number[] {
  let next = 0;
  return steps.map((step) => {
    const place = next;
    next += outputCount(step);
    return place;
  });
}

function source(pipeline: FeaturePipeline, step: FeatureStep): string {
  if ("feature" in step) return step.feature;
  return targetReads(step) ? pipeline.target : pipeline.timestamp!;
}

function outputCount(step: FeatureStep): number {
  if (step.op === "impute") return 0;
  if (step.op === "onehot") return step.categories.length;
  if (step.op === "holiday") return 3;
  if (step.op !== "calendar") return 1;
  if (step.encoding === "cyclic") return 2 * step.harmonics;
  return step.encoding === "onehot" && step.field !== "year" ? FIELD_CYCLE[step.field].count : 1;
}
