import { FIELD_CYCLE } from "#lib/engine/features/calendar";
import { type FeaturePipeline, type FeatureStep, targetReads } from "#lib/engine/features/pipeline";

/**
 * The input feature that each model input comes from, in the order of `buildFeatures`: a calendar field counts as the
 * timestamp, a lag as the target, a ratio as its numerator.
 */
export function featureSources(pipeline: FeaturePipeline): string[] {
  return pipeline.steps.flatMap((step) => new Array<string>(outputCount(step)).fill(source(pipeline, step)));
}

/** The place of each step's first model input. */
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
