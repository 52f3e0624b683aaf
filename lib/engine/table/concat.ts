import type { CategoryColumn, Column, Table } from "#lib/contract/table";
import { findColumn } from "./columns.ts";

/**
 * The rows of all tables below each other, with the columns of the first.
 * Categories are coded anew: first those of the first table, in its order, then those that later ones add.
 * Throws a RangeError if a later table lacks a column or has another type for it; further columns are dropped.
 */
export function concatTables(tables: readonly Table[]): Table {
  const rowCount = tables.reduce((sum, table) => sum + table.rowCount, 0);
  return joinTables(rowCount, tables);
}

/** The same of tables that may be made one after the other, so that only one of them is in memory beside the result. */
export function joinTables(rowCount: number, tables: Iterable<Table>): Table {
  const join = new TableJoin(rowCount);
  for (const table of tables) join.add(table);
  return join.table;
}

/** The same, table by table. `rowCount`: of all of them. */
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

  /** Once all are added. */
  get table(): Table {
    return { rowCount: this.#rowCount, columns: this.#joins?.map(({ column }) => column) ?? [] };
  }
}

interface ColumnJoin {
  /** Of all rows; those that were added so far have their values. */
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

function matchingColumn(table: Table, wanted: Column, position: number): Column {
  const column = findColumn(table, wanted.name);
  if (column?.type === wanted.type) return column;
  const found = column ? `has "${wanted.name}" as ${column.type}` : `has no column "${wanted.name}"`;
  throw new RangeError(`Table ${position + 1} ${found}; the first has it as ${wanted.type}.`);
}
