import type { Table } from "#lib/contract/table";
import { type RowDifferences, rowsEqual, sharedColumns } from "#lib/engine/table/compare-rows";
import { panelOf } from "./panel.ts";
import { rowsOfSeries, seriesKey } from "./series-index.ts";

/**
 * Finds the rows that differ between two panels: rows of the same series and time are the same row. Compares the columns
 * that both have with the same type.
 */
export function comparePanels(
  before: Table,
  after: Table,
  { columns, timestamp }: { columns: readonly string[]; timestamp: string },
): RowDifferences {
  const isEqual = rowsEqual(sharedColumns(before, after));
  const [former, latter] = [panelOf(before, columns, timestamp), panelOf(after, columns, timestamp)];
  const places = new Map(latter.index.values.map((values, place) => [seriesKey(values), place]));
  const unmatched = new Map(rowsOfSeries(latter.index).entries());
  const differences: RowDifferences = { added: [], removed: [], changed: [] };
  for (const [place, rows] of rowsOfSeries(former.index).entries()) {
    const other = places.get(seriesKey(former.index.values[place]!)) ?? -1;
    const others = unmatched.get(other) ?? new Int32Array();
    unmatched.delete(other);
    let [at, otherAt] = [0, 0];
    while (at < rows.length || otherAt < others.length) {
      const [row, otherRow] = [rows[at] ?? -1, others[otherAt] ?? -1];
      const [time, otherTime] = [former.times[row] ?? Infinity, latter.times[otherRow] ?? Infinity];
      if (time <= otherTime) at++;
      if (otherTime <= time) otherAt++;
      if (time < otherTime) differences.removed.push(row);
      else if (time > otherTime) differences.added.push(otherRow);
      else if (!isEqual(row, otherRow)) differences.changed.push([row, otherRow]);
    }
  }
  for (const rows of unmatched.values()) for (const row of rows) differences.added.push(row);
  differences.added.sort((a, b) => a - b);
  return differences;
}
