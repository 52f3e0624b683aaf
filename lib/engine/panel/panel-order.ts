import type { Issue, IssueList } from "#lib/engine/csv/issues";
import { shorten } from "#lib/engine/csv/issues";
import { rowsOfSeries, type SeriesIndex, seriesText } from "./series-index.ts";

type PanelOrder = {
  /** Row indexes by series, then time; null if the rows are in that order. */
  order: Int32Array | null;
  /** Number of rows that follow a row of the same series with a later time. */
  movedRows: number;
};

/**
 * Finds the order of a panel's rows: by series, then time. Series are ordered by their values, so that the order of a file's
 * rows does not matter.
 *
 * @param times epoch milliseconds, none missing
 */
export function orderPanel(index: SeriesIndex, times: Float64Array): PanelOrder {
  const rows = rowsOfSeries(index);
  const places = rows
    .map((_, place) => place)
    .sort((a, b) => compareValues(index.values[a]!, index.values[b]!));
  const order = new Int32Array(times.length);
  let movedRows = 0;
  let filled = 0;
  for (const place of places) {
    const own = rows[place]!;
    const moved = laterRows(own, times);
    movedRows += moved;
    if (moved > 0) own.sort((a, b) => times[a]! - times[b]! || a - b);
    order.set(own, filled);
    filled += own.length;
  }
  return { order: order.every((row, at) => row === at) ? null : order, movedRows };
}

function laterRows(rows: Int32Array, times: Float64Array): number {
  let latest = Number.NEGATIVE_INFINITY;
  let moved = 0;
  for (const row of rows) {
    if (times[row]! < latest) moved++;
    else latest = times[row]!;
  }
  return moved;
}

/** Adds an issue for each time that a series has twice. @param order rows by series, then time */
export function findRepeatedTimes(
  index: SeriesIndex,
  { times, column, order }: { times: Float64Array; column: string; order: Int32Array | null },
  issues: IssueList,
): void {
  for (let at = 1; at < times.length; at++) {
    const row = order === null ? at : order[at]!;
    const before = order === null ? at - 1 : order[at - 1]!;
    if (times[row] !== times[before] || index.ofRow[row] !== index.ofRow[before]) continue;
    issues.addLazily(row + 1, column, () => repeatedTime(index, { row, before, column, time: times[row]! }));
  }
}

function repeatedTime(
  { columns, values, ofRow }: SeriesIndex,
  { row, before, column, time }: { row: number; before: number; column: string; time: number },
): Issue {
  const value = new Date(time).toISOString();
  const series = seriesText(columns, values[ofRow[row]!]!.map(shorten));
  const message = `Row ${row + 1}, column "${shorten(column)}": the time ${value} of the series ${series} is already in row ${before + 1}. Each series has one row per time.`;
  return {
    row: row + 1,
    column,
    value,
    code: "timestamps_duplicate",
    message,
    expected: "each time once in each series",
  };
}

/** Compares the values of two series: numbers by size and before texts, texts by their characters. */
export function compareValues(one: readonly string[], other: readonly string[]): number {
  for (const [at, value] of one.entries()) {
    const difference = compareTexts(value, other[at]!);
    if (difference !== 0) return difference;
  }
  return 0;
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

function compareTexts(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [NUMBER.test(one), NUMBER.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (isNumber && Number(one) !== Number(other)) return Number(one) - Number(other);
  return one < other ? -1 : one > other ? 1 : 0;
}
