import { TARGET_NEEDED, textsIssue } from "#lib/contract/classes";
import { BUSINESS_DAY, stepWord } from "#lib/contract/duration-text";
import type { Choice } from "#lib/contract/reading";
import type { CategoryColumn, Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { zoneChoices, zonesOfRepeats } from "#lib/engine/csv/clock-change";
import type { IssueList } from "#lib/engine/csv/issues";
import { mixedTextsIssue } from "#lib/engine/csv/mixed-texts";
import { formatChoice } from "#lib/engine/csv/numbers-as-texts";
import { type CsvResult, readingOf } from "#lib/engine/csv/options";
import { inOrder, type Origin, placeIssues } from "#lib/engine/csv/origin";
import { hour, proposeParts } from "#lib/engine/csv/propose-parts";
import { checkTimes } from "#lib/engine/csv/time-order";
import { monthDayOf } from "#lib/engine/features/grid";
import { resampleSeries, stepOfSeries } from "#lib/engine/features/resample";
import { usedCategories } from "#lib/engine/table/class-values";
import { findColumn, numericValues, requireColumn, rowsAfterLastValue } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";
import { csvError } from "./csv-error.ts";
import { columnWarnings, seriesWarnings } from "./dataset-warnings.ts";
import { type ColumnDescription, describeColumns } from "./describe-columns.ts";
import { leakWarnings } from "./leak-warnings.ts";
import { readingHint } from "./reading-hint.ts";
import { type DatasetSettings, hoursColumn } from "./settings.ts";

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
  /** Last row with a target, as `lastTargetTimestamp` of the API; null without times. */
  lastTargetTimestamp: string | null;
  /** Number of rows after it. */
  plannedRows: number;
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
  const reading = readingOf(file, settings);
  requireReadableTarget(file, settings);
  const built = datasetFromRows(file.table, file.header, { ...settings, reading }, file.origin);
  if (settings.calendar !== null) requireDaily(built.frequency);
  return { ...built, warnings: [...warnings, ...built.warnings] };
}

/** @throws {DomainError} input_invalid with the options that read a target of texts as numbers */
function requireReadableTarget({ columns, table }: CsvResult, settings: DatasetSettings): void {
  const target = findColumn(table, settings.target);
  const columnFormat = columns.find(({ name }) => name === settings.target)?.columnFormat;
  if (target?.type !== "category" || columnFormat === undefined) return;
  const choice = formatChoice(target, columnFormat);
  const shown = choice.cells.map(({ text, reading }) => `"${text}" is ${reading}`).join(", ");
  const message = `The target "${target.name}" ${TARGET_NEEDED}; its texts can be read with the format ${columnFormat}: ${shown}. Send ${JSON.stringify(choice.options)} with the file.`;
  const issue = {
    row: null,
    column: target.name,
    value: null,
    code: "not_a_number",
    message,
    choices: [choice],
  };
  throw new DomainError("input_invalid", message, { details: [issue] });
}

/** Returns the reader's warnings, except those of empty columns, which depend on the column's role. */
function fileWarnings(file: CsvResult): Warning[] {
  return file.warnings
    .filter(({ code }) => code !== "empty_column")
    .map(({ code, column, message, rows, firstRow, choices }) => ({
      code,
      column,
      message,
      ...(rows !== undefined && { rows }),
      ...(firstRow !== undefined && { firstRow }),
      ...(choices !== undefined && { choices }),
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
 * @param origin where the rows are in the file
 * @throws {DomainError} input_invalid for the target and for repeated times
 */
export function datasetFromRows(
  rows: Table,
  header: readonly string[],
  settings: DatasetSettings,
  origin: Origin = inOrder,
): BuiltDataset {
  const { target, timezone } = settings;
  checkTarget(rows, target);
  const [timestamp] = settings.timestampColumns ?? [];
  const hours = hoursColumn(settings);
  if (timestamp === undefined) {
    const columns = describeColumns(rows, header, settings);
    const warnings = allColumnWarnings(rows, columns, settings);
    const untimed = { frequency: null, monthDay: null, firstTimestamp: null, lastTimestamp: null };
    return { table: rows, columns, warnings, ...untimed, lastTargetTimestamp: null, plannedRows: 0 };
  }
  const joined = resampleSeries(rows, { timestamp, hours, target }, timezone, settings);
  const { order, movedRows, issues } = checkTimes(numericValues(joined, timestamp), timestamp);
  if (issues.count > 0) throw repeatedTimes(joined, timestamp, { ...settings, origin }, issues);
  const table = order === null ? joined : takeRows(joined, order);
  const times = numericValues(table, timestamp);
  const frequency = stepOfSeries(times, timezone, settings);
  const columns = describeColumns(table, header, settings);
  const plannedRows = rowsAfterLastValue(requireColumn(table, target));
  const lastKnown = times[times.length - 1 - plannedRows];
  return {
    table,
    columns,
    warnings: [
      ...seriesWarnings({ times, timestamp, frequency, timezone, movedRows, rows: order }),
      ...allColumnWarnings(table, columns, settings, plannedRows),
    ],
    frequency,
    monthDay: frequency === null ? null : monthDayOf(times, { frequency, timezone }),
    firstTimestamp: times[0] ?? null,
    lastTimestamp: times.at(-1) ?? null,
    lastTargetTimestamp: lastKnown === undefined ? null : new Date(lastKnown).toISOString(),
    plannedRows,
  };
}

/** Returns the error for times that occur twice, with their probable cause: the hour in another column, or a clock change. */
function repeatedTimes(
  table: Table,
  timestamp: string,
  { timezone, origin }: DatasetSettings & { origin: Origin },
  { issues, count }: IssueList,
): DomainError {
  if (origin.wide !== null && origin.wide.starts.length > 1) {
    const hint = `Each of the ${origin.wide.starts.length} rows of the file has these times, but a dataset holds one series. Keep the row of one series, for example with \`skipRows\`, or the sum of all.`;
    return csvError({ issues: placeIssues(issues, origin), issueCount: count }, hint);
  }
  const parts = proposeParts(table.columns, timestamp);
  const zones = timezone === "UTC" && parts === null ? zonesOfRepeats(numericValues(table, timestamp)) : [];
  const joined: Choice[] =
    parts === null
      ? []
      : [
          {
            label: `Times of ${[timestamp, ...parts].join(", ")}`,
            options: { timestamp: [timestamp, ...parts] },
            cells: [],
          },
        ];
  const hint =
    parts !== null
      ? `Is ${parts.some((name) => hour.name.test(name)) ? "the hour" : "the rest of the time"} in column ${parts.map((name) => `"${name}"`).join(", ")}? Then send ${JSON.stringify([timestamp, ...parts])} as timestamp.`
      : zones.length > 0
        ? `The clocks were set back in that hour. Send the time zone of the times as timezone, such as ${zones[0]}.`
        : "";
  const choices = [...joined, ...zoneChoices(zones)];
  const listed = issues.map((issue, at) => (at === 0 && choices.length > 0 ? { ...issue, choices } : issue));
  return csvError({ issues: listed, issueCount: count }, hint);
}

/** Returns the warnings about columns, without those whose suspected columns are all confirmed. */
function allColumnWarnings(
  table: Table,
  columns: readonly ColumnDescription[],
  settings: DatasetSettings,
  plannedRows = 0,
): Warning[] {
  const confirmed = new Set(settings.confirmed);
  const leaks = leakWarnings(table, columns, settings);
  const identifiers = new Set(leaks.filter(({ code }) => code === "identifier").map(({ column }) => column));
  return [...leaks, ...columnWarnings(columns, table.rowCount, plannedRows)].filter(
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
  const issue =
    mixedTextsIssue(column.name, usedCategories(column)) ??
    textsIssue(column.name, usedCategories(column).length);
  if (issue !== null) throw targetError(column.name, issue);
}

function targetError(column: string, message: string): DomainError {
  const expected = "a column of numbers or of two classes";
  const issue = { row: null, column, value: null, code: "not_a_number", message, expected };
  return new DomainError("input_invalid", message, { details: [issue] });
}
