import type { Warning } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import type { Table } from "#lib/contract/table";
import type { Issue } from "#lib/engine/csv/issues";
import type { CsvResult } from "#lib/engine/csv/options";
import { detectFrequency } from "#lib/engine/features/frequency";
import { monthDayOf } from "#lib/engine/features/grid";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { DomainError } from "#lib/platform/errors/domain-error";
import { csvRefusal } from "./csv-refusal.ts";
import { columnWarnings, seriesWarnings } from "./dataset-warnings.ts";
import { type ColumnDescription, describeColumns } from "./describe-columns.ts";
import type { DatasetSettings } from "./settings.ts";
import { sortByTime } from "./sort-by-time.ts";

export type BuiltDataset = {
  /** All readable columns, in time order if there is a timestamp. */
  table: Table;
  columns: ColumnDescription[];
  warnings: Warning[];
  /** ISO 8601 duration; null for rows without a regular step. */
  frequency: string | null;
  /** Day of the month of every row, 31 for the last one; null unless rows are months apart. */
  monthDay: number | null;
  /** Epoch milliseconds. */
  firstTimestamp: number | null;
  lastTimestamp: number | null;
};

/**
 * Builds a dataset from a file that was read with these settings.
 *
 * @throws {DomainError} input_invalid with the file's issues, for a target that is not numeric or has no values, and
 *   for duplicate times
 */
export function buildDataset(file: CsvResult, settings: DatasetSettings): BuiltDataset {
  if (file.issueCount > 0) throw csvRefusal(file);
  const known = new Set(file.table.columns.map(({ name }) => name));
  const unread = file.header.filter((name) => !known.has(name));
  const warnings: Warning[] = fileWarnings(file);
  for (const column of unread) {
    const message = `Column "${column}" is left out, and has values that could not be read.`;
    warnings.push({ code: "excluded_column_unread", column, message });
  }
  const built = describeDataset(file.table, file.header, settings);
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

/** Describes a table as a dataset, for new files and for appended rows. */
export function describeDataset(
  unsorted: Table,
  header: readonly string[],
  settings: DatasetSettings,
): BuiltDataset {
  checkTarget(unsorted, settings.target);
  const timestamp = settings.timestampColumns?.[0];
  if (timestamp === undefined) {
    const columns = describeColumns(unsorted, header, settings);
    const warnings = columnWarnings(columns, unsorted.rowCount);
    const untimed = { frequency: null, monthDay: null, firstTimestamp: null, lastTimestamp: null };
    return { table: unsorted, columns, warnings, ...untimed };
  }
  const { table, movedRows, issues } = sortByTime(unsorted, timestamp, limits.errorDetails);
  if (issues.count > 0) throw csvRefusal({ issues: issues.issues, issueCount: issues.count });
  const times = numericValues(table, timestamp);
  const frequency = detectFrequency(times, settings.timezone);
  const columns = describeColumns(table, header, settings);
  return {
    table,
    columns,
    warnings: [
      ...seriesWarnings({ times, timestamp, frequency, timezone: settings.timezone, movedRows }),
      ...columnWarnings(columns, table.rowCount),
    ],
    frequency,
    monthDay: frequency === null ? null : monthDayOf(times, { frequency, timezone: settings.timezone }),
    firstTimestamp: times[0] ?? null,
    lastTimestamp: times.at(-1) ?? null,
  };
}

function checkTarget(table: Table, target: string): void {
  const column = findColumn(table, target);
  if (column?.type !== "number") {
    const found = column?.type === "category" ? "texts" : `${column?.type ?? "no"} values`;
    throw targetRefusal(target, `The target "${target}" must be a number; its column holds ${found}.`);
  }
  if (column.values.every(Number.isNaN)) throw targetRefusal(target, `The target "${target}" has no values.`);
}

function targetRefusal(column: string, message: string): DomainError {
  const issue: Pick<Issue, "row" | "column" | "value" | "message" | "expected"> = {
    row: null,
    column,
    value: null,
    message,
    expected: "a column of numbers",
  };
  return new DomainError("input_invalid", message, { details: [{ ...issue, code: "not_a_number" }] });
}
