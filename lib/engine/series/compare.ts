import { RunningSum } from "./sum.ts";
import { wireNumber } from "./summary.ts";

/**
 * A series against a baseline, point by point on one axis. `differences` and `cumulative` (the sum of all differences
 * so far) are those of the points asked for, NaN where either has no value. `totalDifference` is the sum of the differences, null
 * if there are none. `percentDifference`: the total in per cent of the absolute sum of the baseline over the
 * same points; 0 if both are 0, null if only the baseline's sum is.
 */
export type SeriesDifference = {
  differences: Float64Array;
  cumulative: Float64Array;
  totalDifference: number | null;
  percentDifference: number | null;
};

/** Both have the same length; NaN is no value. @param points ascending, counted from 0 */
export function compareToBaseline(
  values: Float64Array,
  baseline: Float64Array,
  points: Int32Array,
): SeriesDifference {
  const differences = new Float64Array(points.length).fill(Number.NaN);
  const cumulative = new Float64Array(points.length).fill(Number.NaN);
  const total = new RunningSum();
  const reference = new RunningSum();
  let shared = 0;
  let place = 0;
  for (let i = 0; i < values.length; i++) {
    const difference = values[i]! - baseline[i]!;
    const isAsked = points[place] === i;
    if (!Number.isNaN(difference)) {
      shared++;
      total.add(difference);
      reference.add(baseline[i]!);
      if (isAsked) {
        differences[place] = difference;
        cumulative[place] = total.value;
      }
    }
    if (isAsked) place++;
  }
  const totalDifference = shared === 0 ? null : wireNumber(total.value);
  return {
    differences,
    cumulative,
    totalDifference,
    percentDifference: totalDifference === null ? null : percent(totalDifference, reference.value),
  };
}

function percent(part: number, whole: number): number | null {
  if (part === 0) return 0;
  return wireNumber((part / Math.abs(whole)) * 100);
}
