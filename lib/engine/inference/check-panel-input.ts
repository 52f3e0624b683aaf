import type { Table } from "#lib/contract/table";
import { IssueList } from "#lib/engine/csv/issues";
import { findRepeatedTimes, orderPanel } from "#lib/engine/panel/panel-order";
import { indexSeries } from "#lib/engine/panel/series-index";
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
  const times = numericValues(check.table, timestamp);
  if (times.some(Number.isNaN)) return check;
  const issues = new IssueList(features.map(({ name }) => name));
  issues.addAll({ issues: check.issues, count: check.issueCount });
  const index = indexSeries(check.table, series.columns);
  const { order } = orderPanel(index, times);
  findRepeatedTimes(index, { times, column: timestamp, order }, issues);
  return { ...check, issues: issues.issues, issueCount: issues.count };
}
