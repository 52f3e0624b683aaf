import type { Step } from "./shard.ts";

/** Indexes of a helper's cells: the number of the latest ordered step, and of the latest completed step. */
export const ORDERED = 0;
export const DONE = 1;

/** Values of a cell in place of a step's number: no more steps; helper not started yet; helper failed. */
export const END = -1;
export const NOT_STARTED = -2;
export const FAILED = -3;

/** Number of reads of a cell before a thread sleeps. They take about as long as waking the thread. */
const LOOKS = 2_000;

/** Waits until the cell no longer holds `value`, or until the time limit. Returns the value of the cell. */
export function waitWhile(cells: Int32Array, cell: number, value: number, timeoutMs = Infinity): number {
  for (let look = 0; look < LOOKS; look++) {
    const state = Atomics.load(cells, cell);
    if (state !== value) return state;
  }
  Atomics.wait(cells, cell, value, timeoutMs);
  return Atomics.load(cells, cell);
}

/** Changes the cell and wakes the threads that wait for the change. */
export function setCell(cells: Int32Array, cell: number, value: number): void {
  Atomics.store(cells, cell, value);
  Atomics.notify(cells, cell);
}

/** Number of float64 values that a step takes in shared memory. */
export const STEP_LENGTH = 4;

const NAMES = ["bin", "residuals", "root", "split", "update"] as const;

/** Writes a step as numbers to shared memory. A message would not reach a helper, which waits without an event loop. */
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
