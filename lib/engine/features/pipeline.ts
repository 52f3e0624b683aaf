import type { FeaturePipeline, FeatureStep, Step } from "./pipeline-schema.ts";

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

export type LaggedStep = Step<"number"> & { past: NonNullable<Step<"number">["past"]> };

export const isLagged = (step: FeatureStep): step is LaggedStep =>
  step.op === "number" && step.past !== undefined;

/** Returns whether a row's features depend on the inputs of earlier rows. */
export const readsEarlierInputs = ({ steps }: FeaturePipeline) => steps.some(isLagged);

/** Returns the column that a step reads: that of its feature, or a lagged one, whose name no file can have. */
export const columnOf = (step: Step<"number">): string =>
  isLagged(step) ? `${step.feature}\0${JSON.stringify(step.past)}` : step.feature;

/** Returns the smallest number of steps that a feature looks back over the target, or null. */
export function shortestTargetShift({ steps }: FeaturePipeline): number | null {
  const nearest = steps.flatMap((step) => targetReads(step)?.nearest ?? []);
  return nearest.length > 0 ? Math.min(...nearest) : null;
}
