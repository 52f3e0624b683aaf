import type { Table } from "#lib/contract/table";
import { IssueList } from "#lib/engine/csv/issues";
import { indexSeries, seriesText } from "#lib/engine/panel/series-index";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { checkInput, type InputCheck } from "./check-input.ts";
import type { ModelState } from "./file-schemas.ts";
import type { InputFeature } from "./input-features.ts";

/** Checks a table against a model. In a model of many series, each series may have each time once. */
export function checkModelInput(
  { target, timestamp, series }: Pick<ModelState, "target" | "timestamp" | "series">,
  features: readonly InputFeature[],
  table: Table,
): InputCheck {
  const check = checkInput(table, features, target);
  const isWhole = series?.columns.every((name) => findColumn(check.table, name)?.type === "category");
  if (!series || !isWhole || timestamp === null || !findColumn(check.table, timestamp)) return check;
  const issues = new IssueList(features.map(({ name }) => name));
  issues.addAll({ issues: check.issues, count: check.issueCount });
  addRepeated(check.table, { timestamp, columns: series.columns }, issues);
  return { ...check, issues: issues.issues, issueCount: issues.count };
}

function addRepeated(
  table: Table,
  { timestamp, columns }: { timestamp: string; columns: readonly string[] },
  issues: IssueList,
): void {
  const { values, ofRow } = indexSeries(table, columns);
  const times = numericValues(table, timestamp);
  const seen = values.map(() => new Map<number, number>());
  for (let row = 0; row < table.rowCount; row++) {
    const time = times[row]!;
    const rows = seen[ofRow[row]!]!;
    const earlier = rows.get(time);
    if (earlier === undefined) rows.set(time, row);
    else if (!Number.isNaN(time))
      issues.addLazily(row + 1, timestamp, () => {
        const value = new Date(time).toISOString();
        const series = seriesText(columns, values[ofRow[row]!]!);
        const message = `Rows ${earlier + 1} and ${row + 1} have the same time, ${value}, for ${series}. Give each series one row per time.`;
        return { row: row + 1, column: timestamp, value, code: "timestamps_duplicate", message };
      });
  }
}
