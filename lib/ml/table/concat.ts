import type { CategoryColumn, Column, Table } from "#lib/contract/table";
import { findColumn } from "./columns.ts";

/**
 * The rows of all tables below each other, with the columns of the first.
 * Categories are coded anew: first those of the first table, in its order, then those that later ones add.
 * Throws a RangeError if a later table lacks a column or has another type for it; further columns are dropped.
 */
export function concatTables(tables: readonly Table[]): Table {
  const first = tables[0];
  if (!first) return { rowCount: 0, columns: [] };
  const rowCount = tables.reduce((sum, table) => sum + table.rowCount, 0);
  const columns = first.columns.map((column): Column => {
    const parts = tables.map((table, position) => matchingColumn(table, column, position));
    if (column.type === "category") return concatCategories(column, parts as CategoryColumn[], rowCount);
    const values = new Float64Array(rowCount);
    let offset = 0;
    for (const part of parts) {
      if (part.type === "category") continue;
      values.set(part.values, offset);
      offset += part.values.length;
    }
    return { ...column, values };
  });
  return { rowCount, columns };
}

function matchingColumn(table: Table, wanted: Column, position: number): Column {
  const column = findColumn(table, wanted.name);
  if (column?.type === wanted.type) return column;
  const found = column ? `has "${wanted.name}" as ${column.type}` : `has no column "${wanted.name}"`;
  throw new RangeError(`Table ${position + 1} ${found}; the first has it as ${wanted.type}.`);
}

function concatCategories(first: CategoryColumn, parts: CategoryColumn[], rowCount: number): CategoryColumn {
  const codeOf = new Map<string, number>();
  const categories: string[] = [];
  const codes = new Int32Array(rowCount);
  let offset = 0;
  for (const part of parts) {
    const recoded = part.categories.map((category) => {
      const known = codeOf.get(category);
      if (known !== undefined) return known;
      codeOf.set(category, categories.length);
      return categories.push(category) - 1;
    });
    for (const code of part.codes) codes[offset++] = code < 0 ? -1 : recoded[code]!;
  }
  return { name: first.name, type: "category", codes, categories };
}
