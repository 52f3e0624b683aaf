import type { Column } from "#lib/contract/table";
import { missingColumn } from "./cell-issues.ts";
import type { CellReader, ColumnSettings } from "./cell-reader.ts";
import { cellReader, UndecidedReader } from "./columns.ts";
import { type IssueList, shorten } from "./issues.ts";
import { nameFinder } from "./nearest-name.ts";
import type { CsvOptions, CsvTimes } from "./options.ts";
import { TimestampReader } from "./timestamp-column.ts";
import { type DateOrder, type TimestampFormat, timeOfDayMs } from "./timestamps.ts";

/** A column to read: its index in a row and its reader. */
export type FileColumn = { name: string; index: number; reader: CellReader };

const HOUR_MS = 3_600_000;
/** Maximum number of values, over all columns, kept as text until the types are inferred. */
const SAMPLE_CELLS = 1_000_000;

/**
 * Creates the readers for a header's columns. The readers report to `issues`. Columns with an empty or repeated name
 * are named by their position.
 */
export function columnsFor(
  header: readonly string[],
  options: CsvOptions,
  decimalComma: boolean,
  issues: IssueList,
): FileColumn[] {
  const settings: ColumnSettings = {
    decimalComma,
    missing: new Set(options.missing ?? []),
    timezone: options.timezone ?? "UTC",
    dateOrder: options.dateOrder ?? null,
    numberFormats: new Map((options.numberFormats ?? []).map((format) => [format.column, format])),
    issues,
    sampleSize: Math.min(10_000, Math.max(100, Math.floor(SAMPLE_CELLS / header.length))),
  };
  const timestamps = timestampNames(options);
  const expected = new Map((options.columns ?? []).map((column) => [column.name, column]));
  const categories = new Set(options.categories ?? []);
  const excluded = new Set(options.exclude ?? []);
  addAbsent([...timestamps, ...categories], header, issues);

  const seen = new Set<string>();
  const columns: FileColumn[] = [];
  header.forEach((written, index) => {
    const repeated = written === "" || seen.has(written);
    const name = repeated ? `column ${index + 1}` : written;
    seen.add(written);
    const expectation = expected.get(name);
    const declared = expectation !== undefined || timestamps.includes(name);
    if (excluded.has(written) || (options.onlyDeclared === true && !declared)) return;
    const isTime = name === timestamps[0];
    const inferred = settings.numberFormats.has(name) ? "number" : null;
    const type = isTime ? "timestamp" : categories.has(name) ? "category" : (expectation?.type ?? inferred);
    const missingAllowed = expectation?.missingAllowed ?? !timestamps.includes(name);
    const absentHours = isTime ? options.absentHours : undefined;
    columns.push({ name, index, reader: cellReader({ name, type, missingAllowed, absentHours }, settings) });
  });
  return columns;
}

/** Returns the indexes of the columns that are read and may hold numbers. */
export function numberPlaces(header: readonly string[], options: CsvOptions): number[] {
  const types = new Map((options.columns ?? []).map(({ name, type }) => [name, type]));
  for (const name of options.categories ?? []) types.set(name, "category");
  const excluded = new Set(options.exclude ?? []);
  return [...header.keys()].filter((place) => {
    const name = header[place]!;
    const type = types.get(name) ?? (options.onlyDeclared === true ? null : "number");
    return type === "number" && !excluded.has(name);
  });
}

function timestampNames(options: CsvOptions): readonly string[] {
  if (options.timestamp == null) return [];
  return typeof options.timestamp === "string" ? [options.timestamp] : options.timestamp;
}

function addAbsent(names: readonly string[], header: readonly string[], issues: IssueList): void {
  const present = new Set(header);
  const absent = names.filter((name) => !present.has(name));
  if (absent.length === 0) return;
  const nearest = nameFinder(header);
  for (const name of absent) issues.addLazily(null, name, () => missingColumn(name, null, nearest(name)));
}

/** Returns the finished columns, with date and hour joined, and describes the times. */
export function finishColumns(
  columns: readonly FileColumn[],
  options: CsvOptions,
  issues: IssueList,
): { columns: Column[]; times: CsvTimes | null; dateOrder: DateOrder | null } {
  const [dateName, hourName] = timestampNames(options);
  const finished = new Map<FileColumn, Column>();
  const hours = hourName === undefined ? undefined : columns.find(({ name }) => name === hourName);
  const dates = columns.find(({ name, reader }) => name === dateName && reader instanceof TimestampReader);
  if (hours !== undefined && dates !== undefined) {
    const column = hours.reader.take();
    finished.set(hours, column);
    const values = timesOfDay(column, issues);
    (dates.reader as TimestampReader).join({ name: hours.name, values });
  }
  const all = columns.map((column) => finished.get(column) ?? column.reader.take());
  const timed = dates ?? (dateName === undefined ? onlyTimestamp(columns) : undefined);
  const times = timed === undefined ? null : describeTimes(timed, hours);
  return { columns: all, times, dateOrder: times?.dateOrder ?? commonOrder(columns) };
}

/** Returns the only column inferred as a timestamp, for files without a declared time column. */
function onlyTimestamp(columns: readonly FileColumn[]): FileColumn | undefined {
  const found = columns.filter(({ reader }) => innermost(reader) instanceof TimestampReader);
  return found.length === 1 ? found[0] : undefined;
}

function innermost(reader: CellReader): CellReader {
  return reader instanceof UndecidedReader ? reader.inner : reader;
}

/** Returns the order in which the columns' dates with the year last were read; null if there are none or both. */
function commonOrder(columns: readonly FileColumn[]): DateOrder | null {
  const orders = new Set(
    columns.flatMap(({ reader }) => {
      const inner = innermost(reader);
      return inner instanceof TimestampReader ? (orderOf(inner.format) ?? []) : [];
    }),
  );
  return orders.size === 1 ? [...orders][0]! : null;
}

function orderOf(format: TimestampFormat | null): DateOrder | null {
  if (format === "month-day-year") return "month-first";
  return format === "day-month-year" ? "day-first" : null;
}

function describeTimes(dates: FileColumn, hours: FileColumn | undefined): CsvTimes {
  const { format } = innermost(dates.reader) as TimestampReader;
  return {
    column: dates.name,
    columns: hours === undefined ? [dates.name] : [dates.name, hours.name],
    format,
    dateOrder: orderOf(format),
  };
}

/** Returns milliseconds since midnight, from whole hours 0 to 23 or from texts such as 14:30. */
function timesOfDay(column: Column, issues: IssueList): Float64Array {
  const { name } = column;
  const reportInvalid = (row: number, text: () => string) =>
    issues.addLazily(row, name, () => {
      const value = shorten(text());
      const message = `Row ${row}, column "${shorten(name)}": "${value}" is not an hour of the day.`;
      const expected = "a whole hour from 0 to 23, or a time such as 14:30";
      return { row, column: name, value, code: "invalid_hour", message, expected };
    });
  if (column.type === "category") {
    const times = column.categories.map(timeOfDayMs);
    return Float64Array.from(column.codes, (code, index) => {
      const ms = code === -1 ? Number.NaN : times[code]!;
      if (code !== -1 && Number.isNaN(ms)) reportInvalid(index + 1, () => column.categories[code]!);
      return ms;
    });
  }
  const text = (value: number) =>
    column.type === "timestamp" ? new Date(value).toISOString() : String(value);
  return column.values.map((hour, index) => {
    if (Number.isNaN(hour)) return hour;
    if (Number.isInteger(hour) && hour >= 0 && hour <= 23) return hour * HOUR_MS;
    reportInvalid(index + 1, () => text(hour));
    return Number.NaN;
  });
}
