import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { mean } from "#lib/engine/features/statistics";
import { stepColumns } from "#lib/engine/inference/feature-sources";
import { type LinearModel, predictLinear } from "#lib/engine/learners/linear-design";

type Rows = { pipeline: FeaturePipeline; columns: readonly Float32Array[]; target: Float64Array };

/**
 * Returns the recent level as a linear model of the columns: the first window of the mean. Trees cannot extrapolate a
 * trend, but follow it if they learn the difference to this level. Returns undefined without such a window.
 */
export function recentLevel({ pipeline, columns }: Omit<Rows, "target">): LinearModel | undefined {
  const at = pipeline.steps.findIndex((step) => step.op === "rolling" && step.statistic === "mean");
  const step = pipeline.steps[at];
  if (step?.op !== "rolling") return undefined;
  const coefficients = new Float64Array(columns.length);
  coefficients[stepColumns(pipeline)[at]!] = 1 / (step.scale ?? 1);
  const means = Float64Array.from(columns, (column) => mean(Float64Array.from(column)));
  return { kind: "linear", coefficients, intercept: step.center ?? 0, means };
}

/** Returns the target minus the level of each row. */
export function differencesTo(level: LinearModel, { columns, target }: Omit<Rows, "pipeline">): Float64Array {
  const levels = predictLinear(level, [...columns]);
  return target.map((value, row) => value - levels[row]!);
}
