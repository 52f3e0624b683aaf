import type { ColumnFormatName, Reading, Shape, TimeFormatName } from "#lib/contract/reading";
import type { ColumnType, Table } from "#lib/contract/table";
import type { Delimiter } from "./dialect.ts";
import type { CsvWarning, Issue } from "./issues.ts";
import type { NumberFormat } from "./number-format.ts";
import type { Origin } from "./origin.ts";
import type { DateOrder } from "./timestamps.ts";

/** A column that the file should have. */
export type ExpectedColumn = {
  name: string;
  type: ColumnType;
  /** Whether cells may be empty. Default true, but false for timestamps. */
  missingAllowed?: boolean;
};

export type CsvOptions = {
  /** Columns with a declared type. The types of other columns are inferred. */
  columns?: readonly ExpectedColumn[];
  /** The target of a new dataset. Like the timestamp, it must not be ambiguous. */
  target?: string;
  /**
   * The time column, or up to four columns to join: date, and hour or time of day; or year, and its parts. The joined
   * column takes the first name.
   */
  timestamp?: string | readonly string[] | null;
  /** Name of an hour column that the file lacks. Each time must then have a time of day, so no date counts as midnight. */
  absentHours?: string | undefined;
  /** Format of the time column. Null if the file decides; `unstored` for datasets that are older than stored formats. */
  timestampFormat?: TimeFormatName | "unstored" | null;
  /** Formats by column, for times of other columns. */
  columnFormats?: Readonly<Record<string, ColumnFormatName>>;
  /** Rows to leave out, counted from 1 without the header. */
  skipRows?: readonly number[] | undefined;
  /** Encoding of files without a byte order mark. The bytes decide if it is absent. */
  encoding?: string | undefined;
  /** Encoding of the dataset that a further file belongs to. The file may also be UTF-8. */
  storedEncoding?: string | undefined;
  /** Line of the header, 1 for the first. In further files of a dataset, only if that line has expected columns. */
  headerRow?: number | undefined;
  /** Columns that are times and become rows. Further files of a dataset may have other times, or be long already. */
  shape?: Shape | undefined;
  /** Name of the sheet of a workbook, which further files must have. Default the first one that is not hidden. */
  sheet?: string | undefined;
  /** Decimal mark of the dataset that a further file belongs to. The file must show another one clearly to have it. */
  decimalMark?: "." | "," | undefined;
  /** IANA zone of times without a zone. Default UTC. Throws RangeError if unknown. */
  timezone?: string;
  /** Whether the month or the day comes first in dates such as 3/4/2024, if known. */
  dateOrder?: DateOrder | null;
  /** Columns to read as categories even if they look like numbers. */
  categories?: readonly string[];
  /** Columns to leave out. */
  exclude?: readonly string[];
  /** Leaves out every column that neither `columns` nor `timestamp` names, so unused columns cannot cause issues. */
  onlyDeclared?: boolean;
  /** Texts, besides the empty cell, that mark a missing value, such as `NA`. Default none. */
  missing?: readonly string[];
  /** Formats of columns whose numbers have a unit, digit grouping or their own decimal mark. Default none. */
  numberFormats?: readonly NumberFormat[];
};

/** Formats that a request chooses for a new file. */
export type ReadingRequest = Partial<Reading>;

/** Returns the options that a stored reading, or a request for one, stands for. */
export function readingOptions(reading: Reading | ReadingRequest | null | undefined): ReadingOptions {
  if (reading == null) return { timestampFormat: "unstored" };
  const { timestampFormat = null, columnFormats = {}, decimalMark } = reading;
  const { encoding: storedEncoding, headerRow, shape, sheet } = reading;
  return { timestampFormat, columnFormats, decimalMark, storedEncoding, headerRow, shape, sheet };
}

type ReadingOptions = Pick<
  CsvOptions,
  "timestampFormat" | "columnFormats" | "decimalMark" | "storedEncoding" | "headerRow" | "shape" | "sheet"
>;

/** Returns how a dataset's file was read: what the request chose, and what was found. */
export function readingOf(
  { delimiter, decimalComma, times: found, columns, encoding, origin }: CsvResult,
  {
    reading: asked,
    timestampColumns,
  }: { reading: Reading | ReadingRequest | null; timestampColumns: string[] | null },
): Reading {
  // Without a timestamp, the only column of times is an input.
  const times = timestampColumns === null ? null : found;
  const others = columns.flatMap(({ name, timeFormat }) =>
    timeFormat === undefined || name === times?.column ? [] : [[name, timeFormat]],
  );
  return {
    encoding,
    headerRow: asked?.headerRow ?? 1,
    delimiter,
    decimalMark: decimalComma ? "," : ".",
    timestampFormat: times?.format ?? null,
    columnFormats: { ...Object.fromEntries(others), ...asked?.columnFormats },
    ...(asked?.skipRows?.length && { skipRows: asked.skipRows }),
    ...(origin.sheet !== null && { sheet: origin.sheet.name }),
    ...(asked?.shape && { shape: asked.shape }),
  };
}

/** Rows of a sheet of a workbook. The first row of the first batch is row 1 of the sheet. */
export type SheetBatch = {
  sheet: string;
  /** Names of the sheets to choose from. */
  sheets: string[];
  rows: readonly (readonly string[])[];
  /** Empty columns of the sheet in front of the table. */
  lead: number;
  notes: Pick<CsvWarning, "code" | "message">[];
};

/** A cell of a file that stores numbers as numbers. Texts are those of a CSV without quotes; undefined is missing. */
export type Cell = number | string | undefined;

/** Rows by column, in the order of the header, and the same rows as bytes of a CSV. */
export type CellBatch = { rowCount: number; cells: readonly ArrayLike<Cell>[]; bytes: () => Uint8Array };

/** Part of a file: bytes or text of a CSV, cells, rows of a sheet, or the reason why nothing can be read. */
export type TableChunk =
  | Uint8Array
  | string
  | CellBatch
  | SheetBatch
  | (Pick<Issue, "code" | "message" | "choices"> & { column?: string });

/** Returns the bytes of a CSV; null for others. */
export function bytesOf(chunk: TableChunk): Uint8Array | null {
  if (chunk instanceof Uint8Array) return chunk;
  return typeof chunk === "object" && "cells" in chunk ? chunk.bytes() : null;
}

/** The times of a file: source columns, format, and order of day and month. */
export type CsvTimes = {
  column: string;
  /** The source columns: one, or those of the parts. */
  columns: string[];
  format: TimeFormatName | null;
  /** Value of `dateOrder` for later files of the same data. Null if the format is unambiguous. */
  dateOrder: DateOrder | null;
};

/** A column as read. */
export type CsvColumn = {
  name: string;
  type: ColumnType;
  /** Rows without a value, or with one that cannot be read. */
  missing: number;
  /** Issues of its rows, if it has any: values that cannot be read, and missing ones unless they are allowed. */
  rejected?: number;
  /** Format of times. */
  timeFormat?: TimeFormatName;
  /** Whether the first numbers look like times, such as 202401. */
  mayBeTime?: boolean;
  /** For a column without a declared type: the format that reads its first values, if they are not plain numbers. */
  numberFormat?: Omit<NumberFormat, "column"> | undefined;
  /** For such a column: the named format that reads its first values. */
  columnFormat?: ColumnFormatName | undefined;
  /** For such a column: its first values that often mark missing values. */
  missingTexts?: readonly string[] | undefined;
};

export type CsvResult = {
  /** Usable only without issues: cells with issues are missing. Excludes the rows already taken. */
  table: Table;
  columns: CsvColumn[];
  rowCount: number;
  header: string[];
  /** The first issues, in file order. */
  issues: Issue[];
  /** Number of all issues. */
  issueCount: number;
  warnings: CsvWarning[];
  times: CsvTimes | null;
  /** Order of day and month in the file's dates with the year last: of the times, else of all columns if they agree. */
  dateOrder: DateOrder | null;
  delimiter: Delimiter;
  decimalComma: boolean;
  encoding: string;
  /** Where the rows are in the file. */
  origin: Origin;
};
