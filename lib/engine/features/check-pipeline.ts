import type { z } from "zod";
import { readsTime, targetReads } from "./pipeline.ts";
import { type FeaturePipeline, FeaturePipelineSchema } from "./pipeline-schema.ts";

/** A lag or window that would look at the present or the future of the target, or a step that cannot be done. */
export class InvalidFeatureStep extends Error {
  override name = "InvalidFeatureStep";
}

/**
 * A pipeline as it was stored, checked: every step is known, has the state that it needs, and sees no future.
 * Throws InvalidFeatureStep at the first that does not.
 */
export function checkPipeline(stored: unknown): FeaturePipeline {
  const parsed = FeaturePipelineSchema.safeParse(stored);
  if (!parsed.success) throw new InvalidFeatureStep(explain(parsed.error.issues[0]!));
  const pipeline = parsed.data;
  for (const step of pipeline.steps) {
    if (readsTime(step) && pipeline.timestamp === null) {
      throw new InvalidFeatureStep(`A ${step.op} feature needs a timestamp column.`);
    }
    if (targetReads(step) !== null && pipeline.grid === null) {
      throw new InvalidFeatureStep(`A ${step.op} feature needs a series with a regular frequency.`);
    }
    if (step.op === "targetEncoding" && step.values.length !== step.categories.length) {
      throw new InvalidFeatureStep(`The target encoding of "${step.feature}" lacks values.`);
    }
  }
  return pipeline;
}

function explain({ path: [part, index, ...rest], message }: z.core.$ZodIssue): string {
  if (part !== "steps" || typeof index !== "number") return `${message}.`;
  const where = rest.length > 0 ? `, ${rest.join(".")}` : "";
  return `Feature step ${index + 1}${where}: ${message}.`;
}
