import type { Table } from "#lib/contract/table";
import { indexSeries, type SeriesIndex, seriesKey } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";

type Names = { columns: readonly string[]; timestamp: string; target: string };

const indexes = new WeakMap<Table, SeriesIndex>();

/** Returns the series of the rows of a model's history, which is indexed once. */
export function indexOnce(table: Table, columns: readonly string[]): SeriesIndex {
  const index = indexes.get(table) ?? indexSeries(table, columns);
  indexes.set(table, index);
  return index;
}

/**
 * Returns the known rows of few chosen series up to a time (epoch milliseconds), so that a thread need not copy those of all
 * series. Also keeps the newest row with a target: the forecast of a series without known rows begins after it.
 *
 * @param chosen keys of the series (`seriesKey`)
 */
export function rowsOfChosen(
  table: Table,
  { columns, timestamp, target }: Names,
  { chosen, until }: { chosen: ReadonlySet<string>; until: number },
): Table {
  const index = indexOnce(table, columns);
  const isChosen = index.values.map((values) => chosen.has(seriesKey(values)));
  const times = numericValues(table, timestamp);
  const targets = numericValues(table, target);
  const rows: number[] = [];
  let newest = -1;
  for (let row = 0; row < table.rowCount; row++) {
    const time = times[row]!;
    if (time > until) continue;
    if (isChosen[index.ofRow[row]!]) rows.push(row);
    if (!Number.isNaN(targets[row]) && !(newest >= 0 && times[newest]! >= time)) newest = row;
  }
  const isKept = newest < 0 || isChosen[index.ofRow[newest]!];
  return takeRows(table, Int32Array.from(isKept ? rows : [...rows, newest]));
}
