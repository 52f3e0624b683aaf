import type { Column } from "#lib/contract/table";
import type { CsvWarning } from "./issues.ts";
import type { CsvColumn } from "./options.ts";

/** Warns about columns without a single value. */
export function emptyColumns(columns: readonly CsvColumn[], rowCount: number): CsvWarning[] {
  return columns
    .filter(({ missing }) => rowCount > 0 && missing === rowCount)
    .map(({ name }) => ({ code: "empty_column", column: name, message: `Column "${name}" has no values.` }));
}

/** Returns the number of rows without a value. */
export function missingCount(column: Column): number {
  let count = 0;
  if (column.type === "category") {
    for (const code of column.codes) if (code === -1) count++;
  } else for (const value of column.values) if (Number.isNaN(value)) count++;
  return count;
}
