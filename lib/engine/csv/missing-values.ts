import type { Column } from "#lib/contract/table";
import type { CsvWarning } from "./issues.ts";
import type { CsvColumn } from "./options.ts";

/** How many rows of each column have no value, of a table that may be read in parts. */
export class MissingValues {
  readonly #counts: number[] = [];

  /** The next rows of all columns, always in the same order. */
  add(columns: readonly Column[]): void {
    columns.forEach((column, index) => {
      this.#counts[index] = (this.#counts[index] ?? 0) + missingCount(column);
    });
  }

  /** Of the column at that place. */
  of(index: number): number {
    return this.#counts[index] ?? 0;
  }
}

/** Names the columns that have a value in no row. */
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
