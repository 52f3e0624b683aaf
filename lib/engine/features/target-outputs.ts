import { filled, type Output } from "./output.ts";
import type { Step } from "./pipeline.ts";
import { rollingStatistic } from "./rolling.ts";
import { bridgingGaps, type ReadTarget, type TargetHistory, targetReader } from "./target-history.ts";

/** The target's past that each row may read, and the row's grid index. */
export type TargetPast = { target: string; history: TargetHistory; rowIndexes: Float64Array };

type TargetStep = Step<"lag"> | Step<"rolling"> | Step<"difference">;

export function lagOutput(past: TargetPast, step: Step<"lag">): Output {
  const values = targetValues(past, step, (read, index) => read(index - step.steps));
  return { name: `${past.target} lag ${step.steps}`, source: past.target, values };
}

export function differenceOutput(past: TargetPast, step: Step<"difference">): Output {
  const { shift, span } = step;
  const values = targetValues(past, step, (read, index) => read(index - shift) - read(index - shift - span));
  return { name: `${past.target} change over ${span}, lag ${shift}`, source: past.target, values };
}

export function rollingOutput(past: TargetPast, step: Step<"rolling">): Output {
  const { shift, statistic } = step;
  const window = new Float64Array(step.window);
  const values = targetValues(past, step, (read, index) => {
    const first = index - shift - step.window + 1;
    // Recomputed for each row: with a running sum, a row's bits would depend on earlier rows.
    for (let i = 0; i < step.window; i++) window[i] = read(first + i);
    return rollingStatistic(window, statistic);
  });
  return { name: `${past.target} ${statistic} of ${step.window}, lag ${shift}`, source: past.target, values };
}

/** Returns the step's value for each row: filled, then scaled in float64. */
function targetValues(
  { history, rowIndexes }: TargetPast,
  { fill, center = 0, scale = 1 }: TargetStep,
  valueAt: (read: ReadTarget, index: number) => number,
): Float32Array {
  const reader = targetReader(history);
  const isBridged = fill === "previous";
  return Float32Array.from(rowIndexes, (index) => {
    const value = valueAt(isBridged ? bridgingGaps(reader(index)) : reader(index), index);
    return (filled(value, isBridged ? center : fill) - center) * scale;
  });
}
