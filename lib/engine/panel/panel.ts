import type { Table } from "#lib/contract/table";
import { numericValues, requireColumn, rowsAfterLastValue } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { indexSeries, type SeriesIndex } from "./series-index.ts";

/** A table whose rows are ordered by series, then time. */
export type Panel = {
  table: Table;
  index: SeriesIndex;
  /** First row of each series, and the number of rows. */
  starts: Int32Array;
  /** Epoch milliseconds of each row. */
  times: Float64Array;
};

/** @param table its rows are ordered by series, then time, as those of a stored dataset */
export function panelOf(table: Table, columns: readonly string[], timestamp: string): Panel {
  const index = indexSeries(table, columns);
  const starts = new Int32Array(index.values.length + 1).fill(table.rowCount);
  // The series are numbered in the order of their first rows.
  let series = 0;
  for (let row = 0; row < table.rowCount; row++) if (index.ofRow[row] === series) starts[series++] = row;
  return { table, index, starts, times: numericValues(table, timestamp) };
}

/** Returns a view of the times of each series, ascending. */
export const timesOfSeries = ({ index, starts, times }: Panel): Float64Array[] =>
  index.values.map((_, place) => times.subarray(starts[place], starts[place + 1]));

/** Returns the time of the last row of each series with a target, epoch milliseconds; NaN without one. */
export function lastTargets({ table, index, starts, times }: Panel, target: string): Float64Array {
  const column = { rowCount: table.rowCount, columns: [requireColumn(table, target)] };
  return Float64Array.from(index.values, (_, place) => {
    const [start, end] = [starts[place]!, starts[place + 1]!];
    const after = rowsAfterLastValue(sliceRows(column, start, end).columns[0]!);
    return after === end - start ? Number.NaN : times[end - 1 - after]!;
  });
}

/** Returns all times of a panel, each once, ascending. */
export const distinctTimes = (times: Float64Array): Float64Array => Float64Array.from(new Set(times)).sort();

/** Returns the sum of the known values at each time, ascending. NaN for a time without a known value. */
export function totalsOf(times: Float64Array, values: Float64Array) {
  const distinct = distinctTimes(times);
  const places = new Map(Array.from(distinct, (time, at) => [time, at]));
  const totals = new Float64Array(distinct.length).fill(Number.NaN);
  for (const [row, time] of times.entries()) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    const at = places.get(time)!;
    totals[at] = Number.isNaN(totals[at]) ? value : totals[at]! + value;
  }
  return { times: distinct, totals };
}
