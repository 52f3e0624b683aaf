import type { Column, Table } from "#lib/contract/table";

/** The column called `name`, or undefined. Names are compared as written. */
export function findColumn(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => column.name === name);
}

/** The column called `name`. Throws a RangeError where there is none: the caller should have checked. */
export function requireColumn(table: Table, name: string): Column {
  const column = findColumn(table, name);
  if (!column) throw new RangeError(`The table has no column "${name}".`);
  return column;
}

/** The values of a number, boolean or timestamp column. Throws a RangeError if it is absent or a category. */
export function numericValues(table: Table, name: string): Float64Array {
  const column = requireColumn(table, name);
  if (column.type === "category") throw new RangeError(`Column "${name}" holds categories, not numbers.`);
  return column.values;
}

/** The named columns in the order asked for. Throws a RangeError if one is absent. */
export function selectColumns(table: Table, names: readonly string[]): Table {
  return { rowCount: table.rowCount, columns: names.map((name) => requireColumn(table, name)) };
}

/** The table without the named columns; names that it does not have are ignored. */
export function dropColumns(table: Table, names: Iterable<string>): Table {
  const dropped = new Set(names);
  return { rowCount: table.rowCount, columns: table.columns.filter((column) => !dropped.has(column.name)) };
}

/** The table with `column` in place of the one of that name, else behind the others. */
export function withColumn(table: Table, column: Column): Table {
  const index = table.columns.findIndex((other) => other.name === column.name);
  const columns = index < 0 ? [...table.columns, column] : table.columns.with(index, column);
  return { rowCount: table.rowCount, columns };
}
