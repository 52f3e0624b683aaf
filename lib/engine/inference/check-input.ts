import { limits } from "#lib/contract/limits";
import type { Column, Table } from "#lib/contract/table";
import {
  badValue,
  missingColumn,
  missingValue,
  notABoolean,
  notANumber,
  notATime,
} from "#lib/engine/csv/cell-issues";
import { type Issue, IssueList, shorten } from "#lib/engine/csv/issues";
import { OffDateTally, type OffDateWarning } from "#lib/engine/csv/off-date";
import { type OutsideWarning, outsideWarning } from "#lib/engine/csv/outside-training";
import { nameFinder } from "#lib/engine/names/nearest-name";
import { coerceColumn, valueText } from "./coerce-input.ts";
import type { InputFeature } from "./input-features.ts";

/** Codes of warnings about the position of rows in the series. */
export const SERIES_WARNING_CODES = [
  "incomplete_history",
  "beyond_horizon",
  "in_sample",
  "before_training",
  "unknown_series",
] as const;
export type SeriesWarningCode = (typeof SERIES_WARNING_CODES)[number];

/** A warning that does not prevent a prediction. `rows` is the number of rows concerned. */
export type InputWarning =
  | OutsideWarning
  | OffDateWarning
  | {
      code: "unknown_column" | SeriesWarningCode;
      message: string;
      column: string | null;
      rows: number | null;
    };

export type InputCheck = {
  /** Issues that make the input unusable: the first 100, sorted by row and column. */
  issues: Issue[];
  issueCount: number;
  warnings: InputWarning[];
  /** The columns that the model reads, each converted to the model's type. Other columns are dropped. */
  table: Table;
};

/**
 * Checks a table against the model's input schema. `RowsCheck` makes the same checks of a CSV while it is read.
 *
 * @param before number of rows that precede the table, for the row numbers in issues
 */
export function checkInput(
  table: Table,
  features: readonly InputFeature[],
  target: string,
  before = 0,
): InputCheck {
  const issues = new IssueList(features.map(({ name }) => name));
  const warnings: InputWarning[] = [];
  const columns: Column[] = [];
  const { given: givenColumns, extra } = matchColumns(table, features);
  const nearest = nameFinder(extra);
  for (let at = 0; at < features.length; at++) {
    const feature = features[at]!;
    const { name, type } = feature;
    const given = givenColumns[at];
    if (!given) {
      issues.addLazily(null, name, () => missingColumn(name, type, nearest(name)));
      continue;
    }
    const { column, misfits } = coerceColumn(given, type);
    for (const row of misfits)
      issues.addLazily(before + row + 1, name, () => misfit(feature, given, row, before));
    if (!feature.missingAllowed) addMissingValues(feature, given, issues, before);
    columns.push(column);
    const warning = outsideWarning(column, feature);
    if (warning) warnings.push(warning);
  }
  warnings.push(...offDateWarnings({ rowCount: table.rowCount, columns }, features));
  for (const name of extra.slice(0, limits.errorDetails)) {
    const reason = name === target ? "is the model's target" : "is not used by the model";
    warnings.push({
      code: "unknown_column",
      message: `Column "${shorten(name)}" ${reason}; it is ignored.`,
      column: name,
      rows: null,
    });
  }
  return {
    issues: issues.issues,
    issueCount: issues.count,
    warnings,
    table: { rowCount: table.rowCount, columns },
  };
}

function offDateWarnings(table: Table, features: readonly InputFeature[]): OffDateWarning[] {
  const tally = offDateTally(features);
  tally.add(table);
  return tally.warnings;
}

export const offDateTally = (features: readonly InputFeature[]) =>
  new OffDateTally(features, features.find(({ role }) => role === "timestamp")?.name);

/** Returns the column of each feature (undefined if it is missing), and the names of extra columns. */
function matchColumns(
  { columns }: Table,
  features: readonly InputFeature[],
): { given: readonly (Column | undefined)[]; extra: string[] } {
  const isInOrder =
    columns.length === features.length && features.every(({ name }, at) => columns[at]!.name === name);
  if (isInOrder) return { given: columns, extra: [] };
  const columnOf = new Map(columns.map((column) => [column.name, column]));
  const given = features.map(({ name }) => columnOf.get(name));
  for (const { name } of features) columnOf.delete(name);
  return { given, extra: columns.map(({ name }) => name).filter((name) => columnOf.has(name)) };
}

function misfit({ name, type }: InputFeature, tableColumn: Column, row: number, before: number): Issue {
  const text = valueText(tableColumn, row) ?? "";
  const number = before + row + 1;
  if (type === "number") return notANumber(number, name, text, false);
  if (type === "boolean") return notABoolean(number, name, text);
  return badValue({ row: number, column: name, text, code: "not_a_timestamp", reason: notATime, type });
}

function addMissingValues(
  { name, type }: InputFeature,
  tableColumn: Column,
  issues: IssueList,
  before: number,
): void {
  const values = tableColumn.type === "category" ? tableColumn.codes : tableColumn.values;
  for (let row = 0; row < values.length; row++) {
    const isMissing = tableColumn.type === "category" ? values[row]! < 0 : Number.isNaN(values[row]!);
    const number = before + row + 1;
    if (isMissing) issues.addLazily(number, name, () => missingValue(number, name, type));
  }
}
