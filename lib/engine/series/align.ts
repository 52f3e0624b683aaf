import { limits } from "#lib/contract/limits";
import type { RowWindow } from "./window.ts";

/**
 * Several series on one axis. `timestamps` are the epoch milliseconds of its points, ascending; null where the
 * points are rows. `rowOf[s][point]` is the row of series s at that point, counted from 0, -1 where it has none.
 * `isPlain`: that is the point itself in every series, as it mostly is.
 */
export type Alignment = {
  timestamps: Float64Array | null;
  length: number;
  rowOf: Int32Array[];
  isPlain: boolean;
};

/** What is aligned: a number of rows, and their times if they have any. */
export type Alignable = { rowCount: number; timestamps: Float64Array | null };

/** Series of which the points of all, whether they have a row there or not, are more than memory is given to. */
export class AlignmentTooLarge extends RangeError {
  /** Points of the axis. */
  readonly points: number;

  constructor(points: number) {
    super(`The series have ${points} points together`);
    this.points = points;
  }
}

/**
 * Aligns by the union of the times if every series has times, else by row. A time that one series has several
 * times is there as often; rows without a time are left out.
 *
 * @throws {AlignmentTooLarge}
 */
export function align(series: readonly Alignable[]): Alignment {
  const times = series.map(({ timestamps }) => timestamps);
  return times.every((one) => one !== null) ? alignByTime(times) : alignByRow(series);
}

function alignByRow(series: readonly Alignable[]): Alignment {
  const length = series.reduce((longest, { rowCount }) => Math.max(longest, rowCount), 0);
  refuseTooLarge(length, series.length);
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
  // Scenarios that are compared mostly have the same times: then one order serves all.
  const orders = times.map((one) => (equalTimes(one, first) ? firstOrder : ascendingRows(one)));
  if (firstOrder.length === first.length && orders.every((order) => order === firstOrder)) {
    const isPlain = isAscending(first);
    const timestamps = isPlain ? first : gather(first, firstOrder);
    return { timestamps, length: first.length, rowOf: orders, isPlain };
  }
  const rows = orders.reduce((sum, order) => sum + order.length, 0);
  const ordered = times.map((one, index) => (isAscending(one) ? one : gather(one, orders[index]!)));
  const begin = () => new Int32Array(times.length);
  // Few are merged at once, in room for the most that it can be.
  const isSmall = rows * times.length <= ROOM_FOR_MOST;
  const capacity = isSmall ? rows : merge(ordered, begin(), rows, null);
  refuseTooLarge(capacity, times.length);
  const union = new Float64Array(capacity);
  const rowOf = times.map(() => new Int32Array(capacity).fill(-1));
  const length = merge(ordered, begin(), capacity, { union, rowOf, orders });
  if (length === capacity) return { timestamps: union, length, isPlain: false, rowOf };
  return {
    ...{ timestamps: union.slice(0, length), length, isPlain: false },
    rowOf: rowOf.map((own) => own.slice(0, length)),
  };
}

const ROOM_FOR_MOST = 1 << 25;

/**
 * Lays several series on one axis, each of them in the order of its `times`, from the places where `heads` are, which it moves.
 * `most` points at most are made, and written down where it is given something to write in.
 *
 * @returns how many points were made
 */
export function merge(
  times: readonly Float64Array[],
  heads: Int32Array,
  most: number,
  into: { union: Float64Array; rowOf: Int32Array[]; orders: readonly Int32Array[] } | null,
): number {
  for (let length = 0; length < most; length++) {
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
  return most;
}

function refuseTooLarge(points: number, series: number): void {
  if (points * series > ALIGNED_MAX) throw new AlignmentTooLarge(points);
}

/** Points of all series: twelve bytes each. Half as many again as rows are compared: series that overlap fit. */
const ALIGNED_MAX = 1.5 * limits.comparedRows;

function equalTimes(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Row numbers in the order of their times, rows without a time left out. */
export function ascendingRows(times: Float64Array): Int32Array {
  const rows = new Int32Array(times.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  if (isAscending(times)) return rows;
  return rows.filter((row) => !Number.isNaN(times[row])).sort((a, b) => times[a]! - times[b]! || a - b);
}

/** Whether each row has a time that is none before the last row's. */
export function isAscending(times: Float64Array): boolean {
  for (let i = 0; i < times.length; i++) {
    if (!(times[i]! >= (i === 0 ? Number.NEGATIVE_INFINITY : times[i - 1]!))) return false;
  }
  return true;
}

/** The values of a series of an alignment at its points from `start` up to, not including, `end`; NaN where it has none. */
export function alignedValues(
  { rowOf, isPlain }: Alignment,
  index: number,
  values: Float64Array,
  { start, end }: RowWindow,
): Float64Array {
  return isPlain ? values.subarray(start, end) : gather(values, rowOf[index]!.subarray(start, end));
}

/** The values of a series at the points of the alignment, NaN where it has none. */
export function gather(values: Float64Array, rowOf: Int32Array): Float64Array {
  const aligned = new Float64Array(rowOf.length);
  for (let point = 0; point < rowOf.length; point++) {
    const row = rowOf[point]!;
    aligned[point] = row === -1 ? Number.NaN : values[row]!;
  }
  return aligned;
}
