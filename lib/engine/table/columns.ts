import type { Column, Table } from "#lib/contract/table";

/** Returns the column called `name`, or undefined. Names are compared as written. */
export function findColumn(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => column.name === name);
}

/** Returns the column called `name`. @throws {RangeError} if absent: callers check before */
export function requireColumn(table: Table, name: string): Column {
  const column = findColumn(table, name);
  if (!column) throw new RangeError(`The table has no column "${name}".`);
  return column;
}

/** Returns the values of a number, boolean or timestamp column. @throws {RangeError} if it is absent or a category */
export function numericValues(table: Table, name: string): Float64Array {
  const column = requireColumn(table, name);
  if (column.type === "category") throw new RangeError(`Column "${name}" holds categories, not numbers.`);
  return column.values;
}

/** Returns the named columns in the given order. @throws {RangeError} if one is absent */
export function selectColumns(table: Table, names: readonly string[]): Table {
  return { rowCount: table.rowCount, columns: names.map((name) => requireColumn(table, name)) };
}

/** Returns the named columns that the table has, in the given order. */
export function selectExisting(table: Table, names: readonly string[]): Table {
  return { rowCount: table.rowCount, columns: names.flatMap((name) => findColumn(table, name) ?? []) };
}

/** Returns the table without the named columns. Ignores unknown names. */
export function dropColumns(table: Table, names: Iterable<string>): Table {
  const dropped = new Set(names);
  return { rowCount: table.rowCount, columns: table.columns.filter((column) => !dropped.has(column.name)) };
}

/** Returns the table with `column` replacing the column of that name, or appended. */
export function withColumn(table: Table, column: Column): Table {
  const index = table.columns.findIndex((other) => other.name === column.name);
  const columns = index < 0 ? [...table.columns, column] : table.columns.with(index, column);
  return { rowCount: table.rowCount, columns };
}

/** Returns the buffer of a column that does not share it. */
export function bufferOf(column: Column): ArrayBuffer {
  return (column.type === "category" ? column.codes : column.values).buffer as ArrayBuffer;
}
