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
  // By index, because an iterator takes several times as long, and this runs for each cell.
  if (column.type === "category") {
    const { codes } = column;
    for (let row = 0; row < codes.length; row++) if (codes[row] === -1) count++;
    return count;
  }
  const { values } = column;
  for (let row = 0; row < values.length; row++) if (Number.isNaN(values[row]!)) count++;
  return count;
}
