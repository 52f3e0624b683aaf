import type { CategoryColumn, Column, Table } from "#lib/contract/table";
import { missingValue } from "#lib/engine/csv/cell-issues";
import { IssueList } from "#lib/engine/csv/issues";
import { type Origin, placeIssues } from "#lib/engine/csv/origin";
import { requireColumn, withColumn } from "#lib/engine/table/columns";
import { csvError } from "./csv-error.ts";

/**
 * Returns the table with its series columns as categories. Stored columns may have other types: they were read before they
 * named series.
 *
 * @throws {DomainError} input_invalid for rows that have no value in a series column
 */
export function readSeriesColumns(table: Table, names: readonly string[], origin: Origin): Table {
  const issues = new IssueList(table.columns.map(({ name }) => name));
  let read = table;
  for (const name of names) {
    const column = asCategories(requireColumn(table, name));
    for (const [row, code] of column.codes.entries())
      if (code < 0) issues.addLazily(row + 1, name, () => missingValue(row + 1, name, "category"));
    read = withColumn(read, column);
  }
  if (issues.count === 0) return read;
  const hint =
    "Each row needs the name of its series. Fill these cells, or leave these rows out with `skipRows`.";
  throw csvError({ issues: placeIssues(issues.issues, origin), issueCount: issues.count }, hint);
}

/** Returns a column as texts, as if it had been read as a category. */
function asCategories(column: Column): CategoryColumn {
  if (column.type === "category") return column;
  const { name, type, values } = column;
  const categories: string[] = [];
  const known = new Map<number, number>();
  const codes = Int32Array.from(values, (value) => {
    if (Number.isNaN(value)) return -1;
    const code = known.get(value);
    if (code !== undefined) return code;
    known.set(value, categories.length);
    return categories.push(textOf(type, value)) - 1;
  });
  return { name, type: "category", codes, categories };
}

function textOf(type: Exclude<Column["type"], "category">, value: number): string {
  if (type === "boolean") return value === 1 ? "true" : "false";
  return type === "timestamp" ? new Date(value).toISOString() : String(value);
}
