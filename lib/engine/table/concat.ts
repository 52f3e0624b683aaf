import type { CategoryColumn, Column, Table } from "#lib/contract/table";
import { findColumn } from "./columns.ts";

/**
 * Concatenates the rows of all tables, with the columns of the first. Drops further columns. Recodes categories: those
 * of the first table in its order, then new ones of later tables.
 *
 * @throws {RangeError} if a later table lacks a column or has another type for it
 */
export function concatTables(tables: readonly Table[]): Table {
  const join = new TableJoin(tables.reduce((sum, table) => sum + table.rowCount, 0));
  for (const table of tables) join.add(table);
  return join.table;
}

/** Concatenates tables one at a time. `rowCount` is the total number of rows. */
export class TableJoin {
  readonly #rowCount: number;
  #joins: ColumnJoin[] | null = null;
  #added = 0;

  constructor(rowCount: number) {
    this.#rowCount = rowCount;
  }

  add(table: Table): void {
    this.#joins ??= table.columns.map((column) =>
      column.type === "category"
        ? new CategoryJoin(column, this.#rowCount)
        : new NumericJoin(column, this.#rowCount),
    );
    for (const join of this.#joins) join.add(matchingColumn(table, join.column, this.#added));
    this.#added++;
  }

  /** Complete after the last `add`. */
  get table(): Table {
    return { rowCount: this.#rowCount, columns: this.#joins?.map(({ column }) => column) ?? [] };
  }
}

interface ColumnJoin {
  /** Column of all rows. Rows not added yet have no values. */
  readonly column: Column;
  add(part: Column): void;
}

class NumericJoin implements ColumnJoin {
  readonly column: Exclude<Column, CategoryColumn>;
  #filled = 0;

  constructor(first: Exclude<Column, CategoryColumn>, rowCount: number) {
    this.column = { ...first, values: new Float64Array(rowCount) };
  }

  add({ values }: Exclude<Column, CategoryColumn>): void {
    this.column.values.set(values, this.#filled);
    this.#filled += values.length;
  }
}

class CategoryJoin implements ColumnJoin {
  readonly column: CategoryColumn;
  readonly #codeOf = new Map<string, number>();
  #filled = 0;

  constructor({ name }: CategoryColumn, rowCount: number) {
    this.column = { name, type: "category", codes: new Int32Array(rowCount), categories: [] };
  }

  add(part: CategoryColumn): void {
    const { codes, categories } = this.column;
    const recoded = part.categories.map((category) => {
      const known = this.#codeOf.get(category);
      if (known !== undefined) return known;
      this.#codeOf.set(category, categories.length);
      return categories.push(category) - 1;
    });
    for (const code of part.codes) codes[this.#filled++] = code < 0 ? -1 : recoded[code]!;
  }
}

function matchingColumn(table: Table, expected: Column, position: number): Column {
  const column = findColumn(table, expected.name);
  if (column?.type === expected.type) return column;
  const actual = column ? `has "${expected.name}" as ${column.type}` : `has no column "${expected.name}"`;
  throw new RangeError(`Table ${position + 1} ${actual}; the first has it as ${expected.type}.`);
}
