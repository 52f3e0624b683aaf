import { TARGET_NEEDED } from "#lib/contract/classes";
import { BUSINESS_DAY, stepWord } from "#lib/contract/duration-text";
import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { formatChoice } from "#lib/engine/csv/numbers-as-texts";
import { type CsvResult, readingOf } from "#lib/engine/csv/options";
import { inOrder, type Origin } from "#lib/engine/csv/origin";
import { checkTimes } from "#lib/engine/csv/time-order";
import { monthDayOf } from "#lib/engine/features/grid";
import { resampleSeries, stepOfSeries } from "#lib/engine/features/resample";
import { findColumn, numericValues, requireColumn, rowsAfterLastValue } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";
import { allColumnWarnings } from "./all-column-warnings.ts";
import type { BuiltDataset } from "./built-dataset.ts";
import { checkTarget } from "./check-target.ts";
import { csvError } from "./csv-error.ts";
import { seriesWarnings } from "./dataset-warnings.ts";
import { describeColumns } from "./describe-columns.ts";
import { panelFromRows } from "./panel-from-rows.ts";
import { readingHint } from "./reading-hint.ts";
import { repeatedTimes } from "./repeated-times.ts";
import { type DatasetSettings, hoursColumn } from "./settings.ts";

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
  if (settings.seriesColumns !== null) return panelFromRows(rows, header, settings, origin);
  const { target, timezone } = settings;
  checkTarget(rows, target);
  const [timestamp] = settings.timestampColumns ?? [];
  const hours = hoursColumn(settings);
  if (timestamp === undefined) {
    const columns = describeColumns(rows, header, settings);
    const warnings = allColumnWarnings(rows, columns, settings, { inTime: rows });
    const untimed = { frequency: null, monthDay: null, firstTimestamp: null, lastTimestamp: null };
    return {
      table: rows,
      columns,
      warnings,
      ...untimed,
      lastTargetTimestamp: null,
      plannedRows: 0,
      series: null,
    };
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
      ...allColumnWarnings(table, columns, settings, { plannedRows, inTime: table }),
    ],
    frequency,
    monthDay: frequency === null ? null : monthDayOf(times, { frequency, timezone }),
    firstTimestamp: times[0] ?? null,
    lastTimestamp: times.at(-1) ?? null,
    lastTargetTimestamp: lastKnown === undefined ? null : new Date(lastKnown).toISOString(),
    plannedRows,
    series: null,
  };
}
