import type { Column, Table } from "#lib/contract/table";
import { takeColumnRows } from "#lib/engine/table/rows";

/** Returns the first row of each time, with the columns whose values depend on the time alone, such as holidays. */
export function rowsOfTimes(table: Table, times: Float64Array): Table {
  const first = new Map<number, number>();
  const ofRow = times.map((time, row) => {
    const known = first.get(time);
    if (known !== undefined) return known;
    first.set(time, row);
    return row;
  });
  const columns = table.columns.filter((column) => {
    const isEqual = equality(column);
    return ofRow.every((other, row) => isEqual(row, other));
  });
  const rows = Int32Array.from(first.values()).sort((a, b) => times[a]! - times[b]!);
  return { rowCount: rows.length, columns: columns.map((column) => takeColumnRows(column, rows)) };
}

function equality(column: Column): (row: number, other: number) => boolean {
  if (column.type === "category") return (row, other) => column.codes[row] === column.codes[other];
  return (row, other) => Object.is(column.values[row], column.values[other]);
}
