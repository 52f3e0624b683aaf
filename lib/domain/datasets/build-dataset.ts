import { TARGET_NEEDED, textsIssue } from "#lib/contract/classes";
import type { Warning } from "#lib/contract/datasets";
import { BUSINESS_DAY, stepWord } from "#lib/contract/duration-text";
import type { CategoryColumn, Table } from "#lib/contract/table";
import type { CsvResult } from "#lib/engine/csv/options";
import { proposeHours } from "#lib/engine/csv/propose-hours";
import { checkTimes } from "#lib/engine/csv/time-order";
import { monthDayOf } from "#lib/engine/features/grid";
import { resampleSeries, stepOfSeries } from "#lib/engine/features/resample";
import { usedCategories } from "#lib/engine/table/class-values";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";
import { csvError } from "./csv-error.ts";
import { columnWarnings, seriesWarnings } from "./dataset-warnings.ts";
import { type ColumnDescription, describeColumns } from "./describe-columns.ts";
import { leakWarnings } from "./leak-warnings.ts";
import { readingHint } from "./reading-hint.ts";
import type { DatasetSettings } from "./settings.ts";

export type BuiltDataset = {
  /** All stored columns; rows in time order if there is a timestamp. */
  table: Table;
  columns: ColumnDescription[];
  warnings: Warning[];
  /** ISO 8601 duration or `P1B`; null for rows without a regular step. */
  frequency: string | null;
  /** Day of the month of every row, where 31 means the month's last day; null unless rows are months apart. */
  monthDay: number | null;
  /** Epoch milliseconds. */
  firstTimestamp: number | null;
  lastTimestamp: number | null;
};

/**
 * Builds a dataset from a file that was read with these settings.
 *
 * @throws {DomainError} input_invalid with the file's issues, for a target that has neither numbers nor two classes, and
 *   for duplicate times; validation_failed if `calendar` is set for rows that are not daily
 */
export function buildDataset(file: CsvResult, settings: DatasetSettings): BuiltDataset {
  if (file.issueCount > 0) throw csvError(file, readingHint(file.columns, settings));
  const known = new Set(file.table.columns.map(({ name }) => name));
  const unread = file.header.filter((name) => !known.has(name));
  const warnings: Warning[] = fileWarnings(file);
  for (const column of unread) {
    const message = `Column "${column}" is excluded and not stored, because values of excluded columns could not be read.`;
    warnings.push({ code: "excluded_column_unread", column, message });
  }
  const built = datasetFromRows(file.table, file.header, settings);
  if (settings.calendar !== null) requireDaily(built.frequency);
  return { ...built, warnings: [...warnings, ...built.warnings] };
}

/** Returns the reader's warnings, except those of empty columns, which depend on the column's role. */
function fileWarnings(file: CsvResult): Warning[] {
  return file.warnings
    .filter(({ code }) => code !== "empty_column")
    .map(({ code, column, message, rows }) => ({
      code,
      column,
      message,
      ...(rows === undefined ? {} : { rows }),
    }));
}

/** @throws {DomainError} validation_failed for rows that are not daily */
function requireDaily(frequency: string | null): void {
  if (frequency === "P1D" || frequency === BUSINESS_DAY) return;
  const found = frequency === null ? "have no regular step" : `have the step "${stepWord(frequency)}"`;
  const message = `calendar applies to daily rows, but the rows ${found}. Leave it out, or set resample with the frequency P1D.`;
  throw issueError("validation_failed", { field: "calendar", code: "contradiction", message });
}

/**
 * Makes a dataset of rows: checks the target and the times, resamples, sorts and describes.
 *
 * @throws {DomainError} input_invalid for the target and for repeated times
 */
export function datasetFromRows(
  rows: Table,
  header: readonly string[],
  settings: DatasetSettings,
): BuiltDataset {
  const { target, timezone } = settings;
  checkTarget(rows, target);
  const [timestamp, hours] = settings.timestampColumns ?? [];
  if (timestamp === undefined) {
    const columns = describeColumns(rows, header, settings);
    const warnings = allColumnWarnings(rows, columns, settings);
    const untimed = { frequency: null, monthDay: null, firstTimestamp: null, lastTimestamp: null };
    return { table: rows, columns, warnings, ...untimed };
  }
  const joined = resampleSeries(rows, { timestamp, hours, target }, timezone, settings);
  const { order, movedRows, issues } = checkTimes(numericValues(joined, timestamp), timestamp);
  if (issues.count > 0)
    throw csvError({ issues: issues.issues, issueCount: issues.count }, hoursHint(joined, timestamp));
  const table = order === null ? joined : takeRows(joined, order);
  const times = numericValues(table, timestamp);
  const frequency = stepOfSeries(times, timezone, settings);
  const columns = describeColumns(table, header, settings);
  return {
    table,
    columns,
    warnings: [
      ...seriesWarnings({ times, timestamp, frequency, timezone, movedRows }),
      ...allColumnWarnings(table, columns, settings),
    ],
    frequency,
    monthDay: frequency === null ? null : monthDayOf(times, { frequency, timezone }),
    firstTimestamp: times[0] ?? null,
    lastTimestamp: times.at(-1) ?? null,
  };
}

/** Returns the advice to join a column of hours, for repeated days. */
function hoursHint({ columns }: Table, timestamp: string): string {
  const hours = proposeHours(columns, timestamp);
  if (hours === null) return "";
  return `Is the hour in column "${hours}"? Then send ${JSON.stringify([timestamp, hours])} as timestamp.`;
}

/** Returns the warnings about columns, without those whose suspected columns are all confirmed. */
function allColumnWarnings(
  table: Table,
  columns: readonly ColumnDescription[],
  settings: DatasetSettings,
): Warning[] {
  const confirmed = new Set(settings.confirmed);
  const leaks = leakWarnings(table, columns, settings);
  const identifiers = new Set(leaks.filter(({ code }) => code === "identifier").map(({ column }) => column));
  return [...leaks, ...columnWarnings(columns, table.rowCount)].filter(
    ({ code, column, columns: suspected }) =>
      !(suspected?.every((name) => confirmed.has(name)) ?? false) &&
      // The identifier's warning covers its many categories.
      !(code === "many_categories" && identifiers.has(column)),
  );
}

function checkTarget(table: Table, target: string): void {
  const column = findColumn(table, target);
  if (column?.type === "category") {
    checkTexts(column);
    return;
  }
  if (column?.type !== "number" && column?.type !== "boolean") {
    const found = `${column?.type ?? "no"} values`;
    throw targetError(target, `The target "${target}" ${TARGET_NEEDED}; its column holds ${found}.`);
  }
  if (column.values.every(Number.isNaN)) throw targetError(target, `The target "${target}" has no values.`);
}

function checkTexts(column: CategoryColumn): void {
  const issue = textsIssue(column.name, usedCategories(column).length);
  if (issue !== null) throw targetError(column.name, issue);
}

function targetError(column: string, message: string): DomainError {
  const expected = "a column of numbers or of two classes";
  const issue = { row: null, column, value: null, code: "not_a_number", message, expected };
  return new DomainError("input_invalid", message, { details: [issue] });
}
