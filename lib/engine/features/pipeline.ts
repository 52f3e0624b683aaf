import type { FeaturePipeline, FeatureStep } from "./pipeline-schema.ts";

export type { FeaturePipeline, FeatureStep, RollingStatistic, Step } from "./pipeline-schema.ts";

/** Whether a step reads the time of a row and nothing else. */
export function readsTime({ op }: FeatureStep): boolean {
  return op === "calendar" || op === "holiday" || op === "trend";
}

/** How many steps back the nearest and the furthest target value lie that a step reads; null if it reads none. */
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

/** The smallest number of steps that any feature looks back over the target; null without such a feature. */
export function shortestTargetShift({ steps }: FeaturePipeline): number | null {
  const nearest = steps.flatMap((step) => targetReads(step)?.nearest ?? []);
  return nearest.length > 0 ? Math.min(...nearest) : null;
}
