import { type ColumnFormatName, TIME_FORMATS, type TimeFormatName } from "#lib/contract/reading";
import type { Column, ColumnType } from "#lib/contract/table";
import { nameFinder } from "#lib/engine/names/nearest-name";
import { missingColumn } from "./cell-issues.ts";
import type { CellReader, ColumnSettings } from "./cell-reader.ts";
import { cellReader, UndecidedReader } from "./columns.ts";
import type { Delimiter } from "./dialect.ts";
import { type CsvWarning, type IssueList, shorten } from "./issues.ts";
import { JoinedReader, PartReader } from "./joined-times.ts";
import { readNumber } from "./numbers.ts";
import type { CsvOptions, CsvTimes } from "./options.ts";
import type { TimeFormat } from "./time-formats.ts";
import { TimestampReader } from "./timestamp-column.ts";
import { type DateOrder, timeOfDayMs } from "./timestamps.ts";
import { valueReader } from "./value-formats.ts";

/** A column to read: its index in a row and its reader. */
export type FileColumn = { name: string; index: number; reader: CellReader };

const HOUR_MS = 3_600_000;
/** Maximum number of values, over all columns, kept as text until the types are inferred. */
const SAMPLE_CELLS = 1_000_000;

/** Facts of a file that are known before its columns are read. */
export type FileFacts = {
  decimalComma: boolean;
  /** Whether a number shows the decimal mark surely, so that it separates no groups of digits. */
  isMarkSure?: boolean;
  delimiter: Delimiter;
  issues: IssueList;
  warn: (warning: CsvWarning) => void;
};

/**
 * Creates the readers for a header's columns. The readers report to `issues`. Columns with an empty or repeated name
 * are named by their position.
 */
export function columnsFor(
  header: readonly string[],
  options: CsvOptions,
  { decimalComma, isMarkSure = true, delimiter, issues, warn }: FileFacts,
): FileColumn[] {
  const timestamps = timestampNames(options);
  const settings: ColumnSettings = {
    decimalComma,
    isMarkSure,
    delimiter,
    missing: new Set(options.missing ?? []),
    missingNumbers: missingNumbers(options.missing ?? []),
    valueFormats: new Map(Object.entries(options.columnFormats ?? {})),
    timezone: options.timezone ?? "UTC",
    dateOrder: options.dateOrder ?? null,
    timeFormats: timeFormatsOf(options, timestamps[0]),
    isUnstored: options.timestampFormat === "unstored",
    numberFormats: new Map((options.numberFormats ?? []).map((format) => [format.column, format])),
    issues,
    warn,
    sampleSize: Math.min(10_000, Math.max(100, Math.floor(SAMPLE_CELLS / header.length))),
  };
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
    const chosen = settings.valueFormats.get(name);
    const inferred = settings.numberFormats.has(name)
      ? "number"
      : chosen === undefined
        ? null
        : typeOf(chosen);
    const type = isTime ? "timestamp" : categories.has(name) ? "category" : (expectation?.type ?? inferred);
    const wanted = {
      name,
      type,
      isTime,
      missingAllowed: expectation?.missingAllowed ?? !timestamps.includes(name),
      absentHours: isTime ? options.absentHours : undefined,
      isOther: !declared && name !== options.target,
      isNew: expectation === undefined,
    };
    const isJoined = isTime && timestamps.length > 1;
    const reader = isJoined ? new JoinedReader(timestamps, wanted, settings) : cellReader(wanted, settings);
    columns.push({ name, index, reader });
  });
  return withParts(columns, timestamps);
}

/** Passes the cells of the parts of a time to the reader of the first part. */
function withParts(columns: FileColumn[], timestamps: readonly string[]): FileColumn[] {
  const first = columns.find(({ reader }) => reader instanceof JoinedReader)?.reader as
    | JoinedReader
    | undefined;
  const isPart = ({ name }: FileColumn) => timestamps.indexOf(name) > 0;
  // The absent parts are issues already.
  if (first === undefined || columns.filter(isPart).length < timestamps.length - 1) return columns;
  return columns.map((column) =>
    isPart(column)
      ? { ...column, reader: new PartReader(column.reader, first, timestamps.indexOf(column.name)) }
      : column,
  );
}

function typeOf(format: ColumnFormatName): ColumnType {
  if (format === "text") return "category";
  return valueReader(format) === null ? "timestamp" : "number";
}

/** Returns the numbers among the texts for missing values. Columns of numbers compare them by value. */
function missingNumbers(texts: readonly string[]): Set<number> {
  const numbers = texts.flatMap((text) => [readNumber(text, false), readNumber(text, true)]);
  return new Set(numbers.filter((value) => !Number.isNaN(value)));
}

function timeFormatsOf({ timestampFormat, columnFormats = {} }: CsvOptions, timestamp: string | undefined) {
  const isTime = (name: string): name is TimeFormatName => (TIME_FORMATS as readonly string[]).includes(name);
  const formats = new Map<string, TimeFormatName>();
  for (const [column, name] of Object.entries(columnFormats)) if (isTime(name)) formats.set(column, name);
  if (timestamp !== undefined && timestampFormat && isTime(timestampFormat))
    formats.set(timestamp, timestampFormat);
  return formats;
}

/** Returns the indexes of the columns that are read and may hold numbers. */
export function numberPlaces(header: readonly string[], options: CsvOptions): number[] {
  const types = new Map((options.columns ?? []).map(({ name, type }) => [name, type]));
  for (const name of options.categories ?? []) types.set(name, "category");
  // A time such as 01.2020 shows no decimal mark.
  const excluded = new Set([...(options.exclude ?? []), ...timestampNames(options)]);
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
  const names = timestampNames(options);
  const finished = new Map<FileColumn, Column>();
  const dates = columns.find(
    ({ name, reader }) => name === names[0] && innermost(reader) instanceof TimestampReader,
  );
  const hours = columns.find(({ name, reader }) => name === names[1] && reader instanceof PartReader);
  if (hours !== undefined && dates?.reader instanceof JoinedReader && dates.reader.hasHours) {
    const column = hours.reader.take();
    finished.set(hours, column);
    dates.reader.inner.join({ name: hours.name, values: timesOfDay(column, issues) });
  }
  const all = columns.map((column) => finished.get(column) ?? column.reader.take());
  const timed = dates ?? (names.length === 0 ? onlyTimestamp(columns) : undefined);
  const times =
    timed === undefined ? null : describeTimes(timed, hours === undefined ? [timed.name] : [...names]);
  return { columns: all, times, dateOrder: times?.dateOrder ?? commonOrder(columns) };
}

/** Returns the only column inferred as a timestamp, for files without a declared time column. */
function onlyTimestamp(columns: readonly FileColumn[]): FileColumn | undefined {
  const found = columns.filter(({ reader }) => innermost(reader) instanceof TimestampReader);
  return found.length === 1 ? found[0] : undefined;
}

function innermost(reader: CellReader): CellReader {
  if (reader instanceof PartReader) return innermost(reader.own);
  return reader instanceof UndecidedReader || reader instanceof JoinedReader ? reader.inner : reader;
}

/** Returns the format of a column of times. */
export function timeFormatOf(reader: CellReader): TimeFormat | null {
  const inner = innermost(reader);
  return inner instanceof TimestampReader ? inner.format : null;
}

/** Returns the order in which the columns' dates with the year last were read; null if there are none or both. */
function commonOrder(columns: readonly FileColumn[]): DateOrder | null {
  const orders = new Set(columns.flatMap(({ reader }) => timeFormatOf(reader)?.order ?? []));
  return orders.size === 1 ? [...orders][0]! : null;
}

function describeTimes({ name, reader }: FileColumn, columns: string[]): CsvTimes {
  const format = timeFormatOf(reader);
  return { column: name, columns, format: format?.name ?? null, dateOrder: format?.order ?? null };
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
