import type { Table } from "#lib/contract/table";
import { duplicateTime } from "#lib/engine/csv/cell-issues";
import { IssueList } from "#lib/engine/csv/issues";
import { numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";

type SortedTable = {
  table: Table;
  /** Number of rows that followed a later one and were moved. */
  movedRows: number;
  /** Times that occur in two rows. */
  issues: IssueList;
};

/** Sorts the rows by time. Rows may come in any order, but a series has one row per time. */
export function sortByTime(table: Table, timestamp: string, maxIssues: number): SortedTable {
  const times = numericValues(table, timestamp);
  const order = Array.from(times, (_, row) => row);
  let movedRows = 0;
  let latest = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time < latest) movedRows++;
    else latest = time;
  }
  if (movedRows > 0) order.sort((a, b) => times[a]! - times[b]! || a - b);
  const issues = new IssueList(maxIssues);
  for (let i = 1; i < order.length; i++) {
    const row = order[i]!;
    const before = order[i - 1]!;
    if (times[row] !== times[before]) continue;
    issues.addLazily(row + 1, timestamp, () => duplicateTime(row + 1, timestamp, times[row]!, before + 1));
  }
  return { table: movedRows > 0 ? takeRows(table, order) : table, movedRows, issues };
}
