import { filled, type Output } from "./output.ts";
import type { Step } from "./pipeline.ts";
import { rollingStatistic } from "./rolling.ts";
import { type TargetHistory, targetReader } from "./target-history.ts";

/** The target's past as each row may read it, and where the row stands on the grid. */
export type TargetPast = { target: string; history: TargetHistory; rowIndexes: Float64Array };

export function lagOutput({ target, history, rowIndexes }: TargetPast, step: Step<"lag">): Output {
  const reader = targetReader(history);
  const values = Float32Array.from(rowIndexes, (index) =>
    filled(reader(index)(index - step.steps), step.fill),
  );
  return { name: `${target} lag ${step.steps}`, source: target, values };
}

export function differenceOutput(past: TargetPast, { shift, span, fill }: Step<"difference">): Output {
  const reader = targetReader(past.history);
  const values = Float32Array.from(past.rowIndexes, (index) => {
    const read = reader(index);
    return filled(read(index - shift) - read(index - shift - span), fill);
  });
  return { name: `${past.target} change over ${span}, lag ${shift}`, source: past.target, values };
}

export function rollingOutput({ target, history, rowIndexes }: TargetPast, step: Step<"rolling">): Output {
  const reader = targetReader(history);
  const window = new Float64Array(step.window);
  const values = Float32Array.from(rowIndexes, (index) => {
    const read = reader(index);
    const first = index - step.shift - step.window + 1;
    // Summed anew for each row: a running sum would make a row's bits depend on the rows before it.
    for (let i = 0; i < step.window; i++) window[i] = read(first + i);
    return filled(rollingStatistic(window, step.statistic), step.fill);
  });
  return { name: `${target} ${step.statistic} of ${step.window}, lag ${step.shift}`, source: target, values };
}
