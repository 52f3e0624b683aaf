import { limits } from "#lib/contract/limits";
import type { Column, Table } from "#lib/contract/table";

/** Returns the number of rows after the last one with a value. */
export function rowsAfterLastValue(column: Column): number {
  const isValue =
    column.type === "category" ? (code: number) => code >= 0 : (value: number) => !Number.isNaN(value);
  const values: ArrayLike<number> = column.type === "category" ? column.codes : column.values;
  let last = values.length - 1;
  while (last >= 0 && !isValue(values[last]!)) last--;
  return values.length - 1 - last;
}

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

/**
 * Returns the values of a column of codes, ascending: few different whole numbers, such as 0 and 1. Codes have no mean.
 * Returns null for other numbers, and ignores missing values.
 */
export function codesOf(values: Float64Array): number[] | null {
  const distinct = new Set<number>();
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    if (!Number.isInteger(value)) return null;
    distinct.add(value);
    if (distinct.size > limits.codes) return null;
  }
  return [...distinct].sort((a, b) => a - b);
}

/** Returns the buffer of a column that does not share it. */
export function bufferOf(column: Column): ArrayBuffer {
  return (column.type === "category" ? column.codes : column.values).buffer as ArrayBuffer;
}
