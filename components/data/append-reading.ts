import type { Reading } from "#components/csv/reading.ts";
import type { Dataset } from "#lib/contract/datasets";
import { farOutsideMessage, isFarOutside } from "#lib/engine/csv/far-outside";
import type { CsvWarning } from "#lib/engine/csv/issues";
import type { DatasetEnd } from "#lib/engine/csv/time-order";
import { datasetEnd } from "#lib/engine/features/resample";

/**
 * Returns the way to read rows added to a dataset, which matches the service: same types, times and texts for missing
 * values. Rows may be in any order.
 */
export function readingOptionsOf(dataset: Dataset): Reading {
  const { columns, timestamp, timezone, dateOrder, missing, numberFormats, reading } = dataset;
  const { calendar, resample, target } = dataset;
  const seriesColumns = dataset.series?.columns ?? [];
  const features = columns
    .filter(({ role }) => role !== "excluded")
    .map(({ name, type, role, min, max, categories }) => ({
      name,
      type,
      min,
      max,
      categories,
      role: role === "timestamp" ? ("timestamp" as const) : ("input" as const),
      required: true,
      missingAllowed: role !== "timestamp" && !seriesColumns.includes(name),
    }));
  return {
    features,
    format: { timestampColumns: timestamp, timezone, dateOrder, missing, numberFormats, reading },
    anyOrder: true,
    series: { target, resample, calendar, seriesColumns },
    // Each series has its own end, and only the service knows these ends.
    after: seriesColumns.length > 0 ? null : endOf(dataset),
  };
}

function endOf(dataset: Dataset): DatasetEnd | null {
  const { firstTimestamp, lastTargetTimestamp, frequency, timezone, resample, calendar } = dataset;
  if (firstTimestamp === null || lastTargetTimestamp === null) return null;
  const [first, last] = [Date.parse(firstTimestamp), Date.parse(lastTargetTimestamp)];
  return datasetEnd({ first, last, frequency }, timezone, { resample, calendar });
}

/** Keeps the warnings that concern a dataset. No model is involved yet, and excluded columns are known. */
export function appendedWarnings(warnings: readonly CsvWarning[], { columns }: Dataset): CsvWarning[] {
  const known = new Set(columns.map(({ name }) => name));
  return warnings
    .filter(({ code }) => code !== "outside_range" && code !== "unseen_category")
    .filter(({ code, column }) => code !== "unknown_column" || !known.has(column ?? ""))
    .map((warning) =>
      warning.code === "unknown_column"
        ? { ...warning, message: `The dataset has no column "${warning.column}". The column is ignored.` }
        : warning,
    );
}

/** Describes the values that adding should confirm, by column. */
export function farOutside(warnings: readonly CsvWarning[]): string[] {
  return warnings.flatMap(({ column, rows, firstRow, range }) =>
    range !== undefined && isFarOutside(range) ? [farOutsideMessage({ column, rows, firstRow, range })] : [],
  );
}
