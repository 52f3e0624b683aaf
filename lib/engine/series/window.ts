/** Rows from `start` up to, not including, `end`; counted from 0. */
export type RowWindow = { start: number; end: number };

/**
 * The rows of which x lies between `from` and `to`, both included; x ascends. Without x, `from` and `to` are
 * row numbers counted from 1, as on the wire. An open end is undefined.
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

/** The first row for which the condition holds (and then for all behind it); the length if for none. */
export function firstRow(x: Float64Array, holds: (value: number) => boolean): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(x[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
