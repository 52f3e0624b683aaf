import type { CategoryColumn, NumericColumn, Table } from "#lib/contract/table";
import { duplicateTime } from "./cell-issues.ts";
import { IssueList } from "./issues.ts";

/** Finds times that repeat within a series of a file with many series. The rows may be in any order. */
export class SeriesTimesCheck {
  readonly issues = new IssueList();
  readonly #columns: readonly string[];
  readonly #rowOf = new Map<string, Map<number, number>>();
  #rowCount = 0;

  /** @param columns names of the columns whose values name a series */
  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  /** Adds the next rows. A table without one of the columns has another issue, so it is not checked. */
  add(table: Table, time: NumericColumn): void {
    const columns = this.#columns.map((name) => table.columns.find((column) => column.name === name));
    const firstRow = this.#rowCount + 1;
    this.#rowCount += table.rowCount;
    if (!columns.every((column): column is CategoryColumn => column?.type === "category")) return;
    for (let at = 0; at < table.rowCount; at++) {
      const ms = time.values[at]!;
      if (Number.isNaN(ms)) continue;
      const key = JSON.stringify(columns.map(({ codes, categories }) => categories[codes[at]!] ?? ""));
      const rows = this.#rowsOf(key);
      const earlier = rows.get(ms);
      const row = firstRow + at;
      if (earlier === undefined) rows.set(ms, row);
      else this.issues.addLazily(row, time.name, () => duplicateTime(row, time.name, ms, earlier, key));
    }
  }

  #rowsOf(key: string): Map<number, number> {
    const known = this.#rowOf.get(key) ?? new Map<number, number>();
    this.#rowOf.set(key, known);
    return known;
  }
}
