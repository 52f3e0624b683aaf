import type { Table } from "#lib/contract/table";
import { FaultList } from "#lib/csv/faults";
import { numericValues } from "#lib/ml/table/columns";
import { takeRows } from "#lib/ml/table/rows";

export type SortedTable = {
  table: Table;
  /** How many rows stood after a later one; they have been put in order. */
  movedRows: number;
  /** Times that stand in two rows. */
  faults: FaultList;
};

/** The rows in the order of their times. Rows may come in any order, but a series has one row a time. */
export function sortByTime(table: Table, timestamp: string, maxFaults: number): SortedTable {
  const times = numericValues(table, timestamp);
  const order = Array.from(times, (_, row) => row);
  let movedRows = 0;
  let latest = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < latest) movedRows++;
    else latest = time;
  }
  if (movedRows > 0) order.sort((a, b) => times[a]! - times[b]! || a - b);
  const faults = new FaultList(maxFaults);
  for (let i = 1; i < order.length; i++) {
    const row = order[i]!;
    const before = order[i - 1]!;
    if (times[row] !== times[before]) continue;
    const value = new Date(times[row]!).toISOString();
    faults.add({
      row: row + 1,
      column: timestamp,
      value,
      code: "timestamps_duplicate",
      message: `Row ${row + 1}, column "${timestamp}": the time ${value} also stands in row ${before + 1}; a series has one row a time.`,
      expected: "each time once",
    });
  }
  return { table: movedRows > 0 ? takeRows(table, order) : table, movedRows, faults };
}
