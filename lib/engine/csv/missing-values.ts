import type { Column } from "#lib/contract/table";
import type { CsvWarning } from "./issues.ts";
import type { CsvColumn } from "./options.ts";

/** Counts the rows without a value per column, for a table that may arrive in parts. */
export class MissingValues {
  readonly #counts: number[] = [];

  /** Adds the next rows of all columns, always in the same column order. */
  add(columns: readonly Column[]): void {
    columns.forEach((column, index) => {
      this.#counts[index] = (this.#counts[index] ?? 0) + missingCount(column);
    });
  }

  /** Returns the count of the column at that index. */
  of(index: number): number {
    return this.#counts[index] ?? 0;
  }
}

/** Warns about columns without a single value. */
export function emptyColumns(columns: readonly CsvColumn[], rowCount: number): CsvWarning[] {
  return columns
    .filter(({ missing }) => rowCount > 0 && missing === rowCount)
    .map(({ name }) => ({ code: "empty_column", column: name, message: `Column "${name}" has no values.` }));
}

function missingCount(column: Column): number {
  let count = 0;
  if (column.type === "category") {
    const { codes } = column;
    for (let i = 0; i < codes.length; i++) if (codes[i] === -1) count++;
  } else {
    const { values } = column;
    for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) count++;
  }
  return count;
}
