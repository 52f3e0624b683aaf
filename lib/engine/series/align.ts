import { limits } from "#lib/contract/limits";
import type { RowWindow } from "./window.ts";

/**
 * Several series on one axis. `timestamps` holds the epoch milliseconds of the points, ascending; null if the points
 * are rows. `rowOf[s][point]` is the row (from 0) of series s at that point, or -1. `isPlain` marks the frequent case
 * in which every series has row i at point i.
 */
export type Alignment = {
  timestamps: Float64Array | null;
  length: number;
  rowOf: Int32Array[];
  isPlain: boolean;
};

/** A series to align: its number of rows, and their times if any. */
export type Alignable = { rowCount: number; timestamps: Float64Array | null };

/** Thrown if the aligned series would exceed the memory limit, counting a value for every series at every point. */
export class AlignmentTooLarge extends RangeError {
  /** Number of points on the axis. */
  readonly points: number;

  constructor(points: number) {
    super(`The aligned series have ${points} points in total`);
    this.points = points;
  }
}

/**
 * Aligns series by the union of their times if every series has times, otherwise by row. A time that repeats within
 * one series also repeats on the axis. Rows without a time are dropped.
 *
 * @throws {AlignmentTooLarge}
 */
export function align(series: readonly Alignable[]): Alignment {
  const times = series.map(({ timestamps }) => timestamps);
  return times.every((one) => one !== null) ? alignByTime(times) : alignByRow(series);
}

function alignByRow(series: readonly Alignable[]): Alignment {
  const length = series.reduce((longest, { rowCount }) => Math.max(longest, rowCount), 0);
  rejectTooLarge(length, series.length);
  const counts = new Set(series.map(({ rowCount }) => rowCount));
  const known = new Map(Array.from(counts, (rowCount) => [rowCount, rowNumbers(rowCount, length)]));
  const rowOf = series.map(({ rowCount }) => known.get(rowCount)!);
  return { timestamps: null, length, rowOf, isPlain: series.every(({ rowCount }) => rowCount === length) };
}

function rowNumbers(rowCount: number, length: number): Int32Array {
  const rows = new Int32Array(length).fill(-1, rowCount);
  for (let row = 0; row < rowCount; row++) rows[row] = row;
  return rows;
}

function alignByTime(times: readonly Float64Array[]): Alignment {
  const first = times[0] ?? new Float64Array(0);
  const firstOrder = ascendingRows(first);
  // Compared scenarios mostly have the same times and then share one order.
  const orders = times.map((one) => (equalTimes(one, first) ? firstOrder : ascendingRows(one)));
  if (firstOrder.length === first.length && orders.every((order) => order === firstOrder)) {
    const isPlain = isAscending(first);
    const timestamps = isPlain ? first : gather(first, firstOrder);
    return { timestamps, length: first.length, rowOf: orders, isPlain };
  }
  const rows = orders.reduce((sum, order) => sum + order.length, 0);
  const ordered = times.map((one, index) => (isAscending(one) ? one : gather(one, orders[index]!)));
  const begin = () => new Int32Array(times.length);
  // Allocates the maximum size for small merges.
  const isSmall = rows * times.length <= ROOM_FOR_MOST;
  const capacity = isSmall ? rows : merge(ordered, begin(), rows, null);
  rejectTooLarge(capacity, times.length);
  const union = new Float64Array(capacity);
  const rowOf = times.map(() => new Int32Array(capacity).fill(-1));
  const length = merge(ordered, begin(), capacity, { union, rowOf, orders });
  if (length === capacity) return { timestamps: union, length, isPlain: false, rowOf };
  return {
    timestamps: union.slice(0, length),
    length,
    isPlain: false,
    rowOf: rowOf.map((own) => own.slice(0, length)),
  };
}

const ROOM_FOR_MOST = 1 << 25;

/**
 * Merges series, each in the order of its `times`, onto one axis. Starts at the positions in `heads` and advances
 * them. Creates at most `maxPoints` points, and writes them to `into` if given.
 *
 * @returns the number of points
 */
export function merge(
  times: readonly Float64Array[],
  heads: Int32Array,
  maxPoints: number,
  into: { union: Float64Array; rowOf: Int32Array[]; orders: readonly Int32Array[] } | null,
): number {
  for (let length = 0; length < maxPoints; length++) {
    let earliest = Number.POSITIVE_INFINITY;
    for (let s = 0; s < times.length; s++) {
      const time = times[s]![heads[s]!];
      if (time !== undefined && time < earliest) earliest = time;
    }
    if (earliest === Number.POSITIVE_INFINITY) return length;
    for (let s = 0; s < times.length; s++) {
      const head = heads[s]!;
      if (times[s]![head] !== earliest) continue;
      if (into !== null) into.rowOf[s]![length] = into.orders[s]![head]!;
      heads[s] = head + 1;
    }
    if (into !== null) into.union[length] = earliest;
  }
  return maxPoints;
}

function rejectTooLarge(points: number, series: number): void {
  if (points * series > ALIGNED_MAX) throw new AlignmentTooLarge(points);
}

/**
 * Limit for the points of all series, at twelve bytes each. 1.5 times the limit of compared rows, so that overlapping
 * series fit.
 */
const ALIGNED_MAX = 1.5 * limits.comparedRows;

function equalTimes(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Returns the row numbers in time order, without rows that have no time. */
export function ascendingRows(times: Float64Array): Int32Array {
  const rows = new Int32Array(times.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  if (isAscending(times)) return rows;
  return rows.filter((row) => !Number.isNaN(times[row])).sort((a, b) => times[a]! - times[b]! || a - b);
}

/** Returns whether every row has a time and no time goes back. */
export function isAscending(times: Float64Array): boolean {
  for (let i = 0; i < times.length; i++) {
    if (!(times[i]! >= (i === 0 ? Number.NEGATIVE_INFINITY : times[i - 1]!))) return false;
  }
  return true;
}

/**
 * Returns a series' values at the alignment's points from `start` (inclusive) to `end` (exclusive), NaN for no value.
 */
export function alignedValues(
  { rowOf, isPlain }: Alignment,
  index: number,
  values: Float64Array,
  { start, end }: RowWindow,
): Float64Array {
  return isPlain ? values.subarray(start, end) : gather(values, rowOf[index]!.subarray(start, end));
}

/** Returns a series' values at the points of the alignment, NaN for no value. */
export function gather(values: Float64Array, rowOf: Int32Array): Float64Array {
  const aligned = new Float64Array(rowOf.length);
  for (let point = 0; point < rowOf.length; point++) {
    const row = rowOf[point]!;
    aligned[point] = row === -1 ? Number.NaN : values[row]!;
  }
  return aligned;
}
