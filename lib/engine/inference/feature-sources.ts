import { FIELD_CYCLE } from "#lib/engine/features/calendar";
import { type FeaturePipeline, type FeatureStep, targetReads } from "#lib/engine/features/pipeline";

/**
 * Returns the input feature of each model input, in the order of `buildFeatures`. The source of a calendar field is
 * the timestamp, that of a lag the target, and that of a ratio its numerator.
 */
export function featureSources(pipeline: FeaturePipeline): string[] {
  return pipeline.steps.flatMap((step) => new Array<string>(outputCount(step)).fill(source(pipeline, step)));
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
