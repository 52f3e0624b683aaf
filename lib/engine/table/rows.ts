import type { Column, Table } from "#lib/contract/table";

/** Copies the given rows (indexes from 0) in the given order. */
export function takeRows(table: Table, rows: ArrayLike<number>): Table {
  return { rowCount: rows.length, columns: table.columns.map((column) => takeColumnRows(column, rows)) };
}

/** Returns rows `from` (inclusive) to `to` (exclusive) as views on the same memory. Do not write to them. */
export function sliceRows(table: Table, from: number, to: number = table.rowCount): Table {
  const start = Math.max(0, Math.min(from, table.rowCount));
  const end = Math.max(start, Math.min(to, table.rowCount));
  const columns = table.columns.map(
    (column): Column =>
      column.type === "category"
        ? { ...column, codes: column.codes.subarray(start, end) }
        : { ...column, values: column.values.subarray(start, end) },
  );
  return { rowCount: end - start, columns };
}

/** Copies the given rows of a column in the given order. */
export function takeColumnRows(column: Column, rows: ArrayLike<number>): Column {
  if (column.type === "category") {
    const codes = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i++) codes[i] = column.codes[rows[i]!]!;
    return { ...column, codes };
  }
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = column.values[rows[i]!]!;
  return { ...column, values };
}
