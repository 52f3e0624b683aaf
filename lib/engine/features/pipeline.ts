import type { FeaturePipeline, FeatureStep } from "./pipeline-schema.ts";

export type { FeaturePipeline, FeatureStep, RollingStatistic, Step } from "./pipeline-schema.ts";

/** Returns whether a step reads only the time of a row. */
export function readsTime({ op }: FeatureStep): boolean {
  return op === "calendar" || op === "holiday" || op === "trend";
}

/** Returns the steps back to the nearest and the furthest target value that a step reads, or null. */
export function targetReads(step: FeatureStep): { nearest: number; furthest: number } | null {
  switch (step.op) {
    case "lag":
      return { nearest: step.steps, furthest: step.steps };
    case "rolling":
      return { nearest: step.shift, furthest: step.shift + step.window - 1 };
    case "difference":
      return { nearest: step.shift, furthest: step.shift + step.span };
    default:
      return null;
  }
}

/** Returns the smallest number of steps that a feature looks back over the target, or null. */
export function shortestTargetShift({ steps }: FeaturePipeline): number | null {
  const nearest = steps.flatMap((step) => targetReads(step)?.nearest ?? []);
  return nearest.length > 0 ? Math.min(...nearest) : null;
}
