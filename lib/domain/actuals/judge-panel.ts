import { limits } from "#lib/contract/limits";
import type { Table } from "#lib/contract/table";
import { indexOnce, rowsOfChosen } from "#lib/domain/models/linked/rows-of-chosen";
import type { OpenModel } from "#lib/domain/models/open-model";
import { seriesSumWidth } from "#lib/engine/intervals/series-total";
import { indexSeries, seriesKey } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";
import { JUDGED_ROWS_MAX, judgeRows } from "./judge-model.ts";
import type { Judged } from "./measure.ts";

// A panel may have millions of new rows. Errors of some hundred series differ little from those of all, so the rows of at most 300
// series are predicted. For example, of 10,000 series every 33rd or 34th is taken, in the order of the data.

export type JudgedPanel = {
  /** Rows of the sampled series, in ascending order of time. */
  rows: Judged;
  /** Sums of these rows at each time. */
  totals: Judged;
  /** Number of sampled series, and of all series with new rows. */
  series: { measured: number; count: number };
};

/** Returns at most 300 of the series, spread evenly over their order. */
export function sampleSeries<T>(series: readonly T[]): T[] {
  const count = Math.min(series.length, limits.judgedSeries);
  return Array.from({ length: count }, (_, at) => series[Math.floor((at * series.length) / count)]!);
}

/** Known rows of chosen series, and what identifies each row: its series and its time. */
export type RowsOfKeys = {
  /** Also holds the newest row of all series, if it is of another one. */
  table: Table;
  /** Rows of the chosen series. */
  rows: Int32Array;
  times: Float64Array;
  keyOf(row: number): string;
};

export const rowKey = (series: string, time: number) => `${series} ${time}`;

/** Returns the known rows of the series with these keys. */
export function rowsOfKeys(
  { state: { target, series } }: OpenModel,
  history: Table,
  { timestamp, keys }: { timestamp: string; keys: readonly string[] },
): RowsOfKeys {
  const { columns } = series!;
  const chosen = new Set(keys);
  const names = { columns, timestamp, target };
  const table = rowsOfChosen(history, names, { chosen, until: Number.POSITIVE_INFINITY });
  const index = indexSeries(table, columns);
  const keyOfPlace = index.values.map(seriesKey);
  const seriesOf = (row: number) => keyOfPlace[index.ofRow[row]!]!;
  const times = numericValues(table, timestamp);
  return {
    table,
    rows: Int32Array.from(times.keys()).filter((row) => chosen.has(seriesOf(row))),
    times,
    keyOf: (row) => rowKey(seriesOf(row), times[row]!),
  };
}

/**
 * Predicts the known rows of sampled series as in validation, those after a time.
 *
 * @param history all known rows, with the target and every input feature
 * @returns null if no such row has a known target, or the reason why the model cannot predict the rows
 */
export async function judgePanel(
  model: OpenModel,
  { history, timestamp, since }: { history: Table; timestamp: string; since: number },
): Promise<JudgedPanel | { reason: string } | null> {
  const { target, series } = model.state;
  const newer = keysAfter(history, { columns: series!.columns, timestamp, target, since });
  if (newer.length === 0) return null;
  const keys = sampleSeries(newer);
  const { table, rows, times } = rowsOfKeys(model, history, { timestamp, keys });
  const targets = numericValues(table, target);
  const all = rows
    .filter((row) => times[row]! > since && !Number.isNaN(targets[row]))
    .sort((a, b) => times[a]! - times[b]! || a - b);
  const judged = await judgeRows(model, { history: table, timestamp, rows: newestTimes(all, times) });
  if ("reason" in judged) return judged;
  const { shape, ...ofRows } = judged;
  return {
    rows: ofRows,
    totals: totalsByTime(ofRows, shape?.sharedBySeries),
    series: { measured: keys.length, count: newer.length },
  };
}

/** Returns the keys of the series with a known target after a time. */
function keysAfter(
  history: Table,
  {
    columns,
    timestamp,
    target,
    since,
  }: { columns: readonly string[]; timestamp: string; target: string; since: number },
): string[] {
  const { values, ofRow } = indexOnce(history, columns);
  const times = numericValues(history, timestamp);
  const targets = numericValues(history, target);
  const isNewer = new Uint8Array(values.length);
  for (let row = 0; row < ofRow.length; row++)
    if (times[row]! > since && !Number.isNaN(targets[row]!)) isNewer[ofRow[row]!] = 1;
  return values.filter((_, place) => isNewer[place]).map(seriesKey);
}

/** Limits rows in ascending order of time to the newest ones. A time has all of its rows, or none. */
function newestTimes(rows: Int32Array, times: Float64Array): Int32Array {
  if (rows.length <= JUDGED_ROWS_MAX) return rows;
  const newest = rows.subarray(-JUDGED_ROWS_MAX);
  const before = times[rows.at(-JUDGED_ROWS_MAX - 1)!];
  return newest.filter((row) => times[row] !== before);
}

/**
 * Sums rows by time.
 *
 * @param shared correlation of the errors of two series; undefined: sums have no intervals
 */
function totalsByTime(rows: Judged, shared: number | undefined): Judged {
  const starts = Int32Array.from(rows.times.keys()).filter((row) => rows.times[row] !== rows.times[row - 1]);
  const sums = (values: ArrayLike<number>) =>
    Float64Array.from(starts, (start, at) => {
      let sum = 0;
      for (let row = start; row < (starts[at + 1] ?? values.length); row++) sum += values[row]!;
      return sum;
    });
  const predicted = sums(rows.predicted);
  const bound = (of: Float64Array | null, sign: 1 | -1) => {
    if (of === null || shared === undefined) return null;
    const halves = of.map((value, row) => Math.abs(value - rows.predicted[row]!));
    const [widths, squares] = [sums(halves), sums(halves.map((half) => half ** 2))];
    return predicted.map(
      (value, at) => value + sign * seriesSumWidth({ widths: widths[at]!, squares: squares[at]! }, shared),
    );
  };
  return {
    times: Float64Array.from(starts, (row) => rows.times[row]!),
    actual: sums(rows.actual),
    predicted,
    lower: bound(rows.lower, -1),
    upper: bound(rows.upper, 1),
    baseline: sums(rows.baseline),
    areClasses: false,
  };
}
