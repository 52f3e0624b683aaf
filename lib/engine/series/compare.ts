import type { Aggregate } from "#lib/contract/buckets";
import { type AxisBuckets, aggregateBuckets } from "./buckets.ts";
import { RunningSum } from "./sum.ts";
import { wireNumber } from "./summary.ts";

/**
 * A series compared with a baseline, point by point on one axis. `differences` and `cumulative` (running sum of all
 * differences) cover the requested points, NaN if either has no value. `totalDifference` is the sum of the
 * differences, or null without any. `percentDifference` is the total as a percentage of the baseline's absolute sum
 * over the same points: 0 if both are 0, null if only the baseline's sum is 0.
 */
type SeriesDifference = {
  differences: Float64Array;
  cumulative: Float64Array;
  totalDifference: number | null;
  percentDifference: number | null;
};

/** Compares two series of the same length, in which NaN is no value. @param points ascending, from 0 */
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

/**
 * Compares two series bucket by bucket, over the points that both have. `cumulative` is the running sum at the end of each
 * bucket, and the totals are those of the points, for every aggregate.
 *
 * @param asked buckets to return, ascending, from 0
 */
export function compareBuckets(
  values: Float64Array,
  baseline: Float64Array,
  { begins }: AxisBuckets,
  aggregate: Aggregate,
  asked: Int32Array,
): SeriesDifference {
  const { totalDifference, percentDifference } = compareToBaseline(values, baseline, new Int32Array(0));
  const difference = (point: number) => values[point]! - baseline[point]!;
  const sums = aggregateBuckets(difference, begins, "sum");
  const differences = aggregate === "sum" ? sums : aggregateBuckets(difference, begins, aggregate);
  const total = new RunningSum();
  const cumulative = sums.map((sum) => {
    if (Number.isNaN(sum)) return Number.NaN;
    total.add(sum);
    return total.value;
  });
  const pick = (all: Float64Array) => Float64Array.from(asked, (bucket) => all[bucket]!);
  return { differences: pick(differences), cumulative: pick(cumulative), totalDifference, percentDifference };
}

function percent(part: number, whole: number): number | null {
  if (part === 0) return 0;
  return wireNumber((part / Math.abs(whole)) * 100);
}
