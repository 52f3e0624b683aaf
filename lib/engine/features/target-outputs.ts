import { filled, type Output } from "./output.ts";
import type { RollingStatistic, Step } from "./pipeline.ts";
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

/** Computes a statistic of the values present, NaN without any. `std` is the sample's (n - 1), 0 for one value. */
function rollingStatistic(values: Float64Array, statistic: RollingStatistic): number {
  const present = values.filter((value) => !Number.isNaN(value));
  const count = present.length;
  if (count === 0) return Number.NaN;
  switch (statistic) {
    case "min":
      return present.reduce((least, value) => Math.min(least, value));
    case "max":
      return present.reduce((most, value) => Math.max(most, value));
    case "sum":
      return sum(present);
    case "mean":
      return sum(present) / count;
    case "median": {
      const sorted = present.sort();
      const middle = count >> 1;
      return count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
    }
    case "std": {
      if (count === 1) return 0;
      const mean = sum(present) / count;
      return Math.sqrt(sum(present.map((value) => (value - mean) ** 2)) / (count - 1));
    }
  }
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
