import type { Aggregate, BucketUnit } from "#lib/contract/buckets";
import { bucketUnits } from "#lib/contract/buckets";
import { detectFrequency, stepMs } from "#lib/engine/features/frequency";
import { createGrid, type Grid, gridOf } from "#lib/engine/features/grid";
import { resamplingGrid } from "#lib/engine/features/resample";
import { RunningSum } from "./sum.ts";
import { firstRow, type RowWindow } from "./window.ts";

/** Consecutive points of an ascending axis, grouped by calendar unit. Buckets without points are left out. */
export type AxisBuckets = {
  unit: BucketUnit;
  /** Position of each bucket's first point in the window, and the window's length. */
  begins: Int32Array;
  /** Time at which each bucket begins, epoch milliseconds. */
  starts: Float64Array;
  /** Whether the axis covers the whole bucket. */
  complete: boolean[];
  /** Points of the axis: the requested ones, extended to whole buckets. */
  window: RowWindow;
};

const frequencyOf: Record<BucketUnit, string> = {
  hour: "PT1H",
  day: "P1D",
  week: "P7D",
  month: "P1M",
  quarter: "P3M",
  year: "P1Y",
};

/**
 * Returns the shortest unit that leaves at most `points` points, or else the longest unit. Null if there are at most
 * `points` rows, or if no unit has more than two rows on average.
 *
 * @param times ascending, epoch milliseconds
 */
export function chooseUnit(
  times: Float64Array,
  { start, end }: RowWindow,
  points: number,
): BucketUnit | null {
  const rows = end - start;
  if (rows <= points) return null;
  const span = times[end - 1]! - times[start]!;
  const lengthOf = (unit: BucketUnit) => stepMs(frequencyOf[unit]);
  const fits = bucketUnits.filter((unit) => span / lengthOf(unit) < rows / 2);
  return fits.find((unit) => span / lengthOf(unit) <= points) ?? fits.at(-1) ?? null;
}

/** Returns the calendar units of a zone. @param time a time within or near them, epoch milliseconds */
export const calendarGrid = (time: number, unit: BucketUnit, timezone: string): Grid =>
  createGrid(resamplingGrid(time, frequencyOf[unit], timezone));

/**
 * Groups the points of a window by calendar unit, after extending it to whole buckets.
 *
 * @param times ascending, epoch milliseconds
 */
export function bucketsOf(
  times: Float64Array,
  window: RowWindow,
  { unit, timezone }: { unit: BucketUnit; timezone: string },
): AxisBuckets {
  const grid = calendarGrid(times[0] ?? 0, unit, timezone);
  const { start, end } = wholeBuckets(times, window, grid);
  const begins: number[] = [];
  const starts: number[] = [];
  for (let point = start; point < end; ) {
    const index = grid.indexOf(times[point]!);
    begins.push(point - start);
    starts.push(grid.timeAt(index));
    const next = grid.timeAt(index + 1);
    while (point < end && times[point]! < next) point++;
  }
  begins.push(end - start);
  const complete = new Array<boolean>(starts.length).fill(true);
  if (start < end) {
    const around = nextTo(times, timezone);
    if (start === 0 && around.before >= starts[0]!) complete[0] = false;
    const last = grid.timeAt(grid.indexOf(times[end - 1]!) + 1);
    if (end === times.length && around.after < last) complete[complete.length - 1] = false;
  }
  return {
    unit,
    begins: Int32Array.from(begins),
    starts: Float64Array.from(starts),
    complete,
    window: { start, end },
  };
}

function wholeBuckets(times: Float64Array, { start, end }: RowWindow, grid: Grid): RowWindow {
  if (start >= end) return { start, end: start };
  const from = grid.timeAt(grid.indexOf(times[start]!));
  const to = grid.timeAt(grid.indexOf(times[end - 1]!) + 1);
  return {
    start: firstRow(times, (time) => time >= from),
    end: firstRow(times, (time) => time >= to),
  };
}

/** Number of rows at an end that show the step of a series. */
const STEP_ROWS = 500;

/** Returns the times at which regular rows before the first and after the last one would be. */
function nextTo(times: Float64Array, timezone: string): { before: number; after: number } {
  const step = (some: Float64Array, by: -1 | 1) => {
    const edge = by === 1 ? some.at(-1)! : some[0]!;
    const frequency = detectFrequency(some, timezone);
    if (frequency !== null) {
      const { indexOf, timeAt } = createGrid(gridOf(some, { frequency, timezone }));
      return timeAt(indexOf(edge) + by);
    }
    const distances = some
      .subarray(1)
      .map((time, at) => time - some[at]!)
      .sort();
    return edge + by * (distances[distances.length >> 1] ?? 0);
  };
  return { before: step(times.slice(0, STEP_ROWS), -1), after: step(times.slice(-STEP_ROWS), 1) };
}

/**
 * Aggregates the values of each bucket. NaN is no value; a bucket without values is NaN. Sums lose no digits to the order of
 * their terms.
 */
export function aggregateBuckets(
  valueAt: (point: number) => number,
  begins: Int32Array,
  aggregate: Aggregate,
): Float64Array {
  const aggregated = new Float64Array(begins.length - 1).fill(Number.NaN);
  for (let bucket = 0; bucket < aggregated.length; bucket++) {
    const from = begins[bucket]!;
    const to = begins[bucket + 1]!;
    if (aggregate === "last") {
      for (let point = to - 1; point >= from && Number.isNaN(aggregated[bucket]); point--)
        aggregated[bucket] = valueAt(point);
      continue;
    }
    const sum = new RunningSum();
    let count = 0;
    for (let point = from; point < to; point++) {
      const value = valueAt(point);
      if (Number.isNaN(value)) continue;
      sum.add(value);
      count++;
    }
    if (count > 0) aggregated[bucket] = aggregate === "sum" ? sum.value : sum.value / count;
  }
  return aggregated;
}

/** Returns the number of values of each bucket. */
export function countBuckets(values: Float64Array, begins: Int32Array): Int32Array {
  const counts = new Int32Array(begins.length - 1);
  for (let bucket = 0; bucket < counts.length; bucket++)
    for (let point = begins[bucket]!; point < begins[bucket + 1]!; point++)
      if (!Number.isNaN(values[point])) counts[bucket]!++;
  return counts;
}
