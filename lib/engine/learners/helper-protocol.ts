import type { Step } from "./shard.ts";

/** Numbers that a step takes in shared memory. */
export const STEP_LENGTH = 4;

const NAMES = ["bin", "residuals", "root", "split", "update"] as const;

/** Steps cross from thread to thread as numbers: a message could not be read by a thread that waits for it. */
export function writeStep(to: Float64Array, step: Step): void {
  to[0] = NAMES.indexOf(step.name);
  if (step.name === "bin") to[1] = step.feature;
  else if (step.name === "root") to.set([step.unit, step.scale, step.featureCount], 1);
  else if (step.name === "split") to.set([step.node, step.counted, step.featureCount], 1);
  else if (step.name === "update") to[1] = step.nodeCount;
}

export function readStep(from: Float64Array): Step {
  const [code, a, b, c] = [from[0]!, from[1]!, from[2]!, from[3]!];
  const name = NAMES[code]!;
  if (name === "bin") return { name, feature: a };
  if (name === "residuals") return { name };
  if (name === "root") return { name, unit: a, scale: b, featureCount: c };
  if (name === "split") return { name, node: a, counted: b, featureCount: c };
  return { name, nodeCount: a };
}
