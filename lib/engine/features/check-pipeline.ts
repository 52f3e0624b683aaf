import type { z } from "zod";
import { isLagged, readsTime, targetReads } from "./pipeline.ts";
import { type FeaturePipeline, FeaturePipelineSchema } from "./pipeline-schema.ts";

/** Thrown for a lag or window that would read the present or future target, or for an impossible step. */
export class InvalidFeatureStep extends Error {
  override name = "InvalidFeatureStep";
}

/**
 * Validates a stored pipeline: every step is known, has the state that it needs, and reads no future values.
 *
 * @throws InvalidFeatureStep for the first invalid step
 */
export function checkPipeline(stored: unknown): FeaturePipeline {
  const parsed = FeaturePipelineSchema.safeParse(stored);
  if (!parsed.success) throw new InvalidFeatureStep(explain(parsed.error.issues[0]!));
  const pipeline = parsed.data;
  for (const step of pipeline.steps) {
    if (readsTime(step) && pipeline.timestamp === null) {
      throw new InvalidFeatureStep(`A ${step.op} feature needs a timestamp column.`);
    }
    if ((targetReads(step) !== null || isLagged(step)) && pipeline.grid === null) {
      throw new InvalidFeatureStep(`A ${step.op} feature needs a series with a regular frequency.`);
    }
    if (step.op === "targetEncoding" && step.values.length !== step.categories.length) {
      throw new InvalidFeatureStep(`The target encoding of "${step.feature}" needs one value per category.`);
    }
  }
  return pipeline;
}

function explain({ path: [part, index, ...rest], message }: z.core.$ZodIssue): string {
  if (part !== "steps" || typeof index !== "number") return `${message}.`;
  const where = rest.length > 0 ? `, ${rest.join(".")}` : "";
  return `Feature step ${index + 1}${where}: ${message}.`;
}
