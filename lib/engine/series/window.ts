/** Rows from `start` (inclusive) to `end` (exclusive), counted from 0. */
export type RowWindow = { start: number; end: number };

/**
 * Returns the rows whose x lies between `from` and `to`, both inclusive. x ascends. Without x, `from` and `to` are row
 * numbers from 1, as in the API. An undefined end is open.
 */
export function rowsBetween(
  x: Float64Array | null,
  rowCount: number,
  from: number | undefined,
  to: number | undefined,
): RowWindow {
  if (x === null) {
    const start = Math.max(0, Math.ceil(from ?? 1) - 1);
    const end = Math.min(rowCount, Math.floor(to ?? rowCount));
    return { start: Math.min(start, rowCount), end: Math.max(end, Math.min(start, rowCount)) };
  }
  const start = from === undefined ? 0 : firstRow(x, (value) => value >= from);
  const end = to === undefined ? x.length : firstRow(x, (value) => value > to);
  return { start, end: Math.max(start, end) };
}

/**
 * Returns the index of the first value for which the condition holds, as it does for all later values. Returns the length
 * if it holds for none.
 */
export function firstRow<T>(x: ArrayLike<T>, holds: (value: T) => boolean): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(x[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the index of the last of the ascending values that is not after `time`, or -1. Returns -1 for NaN. */
export function lastNotAfter(values: Float64Array, time: number): number {
  return firstRow(values, (value) => !(value <= time)) - 1;
}
