import { type Classes, classesOf, NUMBER_CLASSES } from "#lib/contract/classes";
import type { CategoryColumn, Column, Table } from "#lib/contract/table";
import { requireColumn, withColumn } from "./columns.ts";

/** Returns the texts that occur in a column of categories. */
export function usedCategories({ codes, categories }: CategoryColumn): string[] {
  const isUsed = new Uint8Array(categories.length);
  for (const code of codes) if (code >= 0) isUsed[code] = 1;
  return categories.filter((_, code) => isUsed[code] === 1);
}

/**
 * Returns the classes of a target column; null for a target of numbers.
 *
 * @param areNumbersClasses whether numbers are classes too: they must then be 0 and 1
 */
export function classesOfColumn(column: Column, areNumbersClasses: boolean): Classes | null {
  if (column.type === "category") return classesOf({ ...column, categories: usedCategories(column) });
  if (column.type !== "number") return classesOf({ type: column.type, categories: null });
  const isClass = (value: number) => value === 0 || value === 1 || Number.isNaN(value);
  return areNumbersClasses && column.values.every(isClass) ? NUMBER_CLASSES : null;
}

/** Returns the table with its target as numbers: 0 for the first class, 1 for the second, NaN for other values. */
export function encodeClasses(table: Table, target: string, classes: Classes): Table {
  const column = requireColumn(table, target);
  const values =
    column.type === "category"
      ? Float64Array.from(column.codes, (code) => {
          const place = classes.indexOf(column.categories[code] ?? "");
          return code < 0 || place < 0 ? Number.NaN : place;
        })
      : column.values.map((value) => (value === 0 || value === 1 ? value : Number.NaN));
  return withColumn(table, { name: target, type: "number", values });
}
