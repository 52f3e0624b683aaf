import type { ColumnType, Table } from "#lib/contract/table";
import type { Delimiter } from "./dialect.ts";
import type { Encoding } from "./encodings.ts";
import type { CsvWarning, Fault } from "./issues.ts";
import type { DateOrder, TimestampFormat } from "./timestamps.ts";

/** What is known of a column that the file should have. */
export type ExpectedColumn = {
  name: string;
  type: ColumnType;
  /** Whether cells may be empty. Default true: emptiness is judged by who knows how values are imputed. */
  missingAllowed?: boolean;
};

export type CsvOptions = {
  /** Columns whose types are given; other columns of the file are inferred. */
  columns?: readonly ExpectedColumn[];
  /** The column of times, or two columns: date, and hour or time of day. They are joined in the first. */
  timestamp?: string | readonly string[] | null;
  /** IANA zone of times that name none. Default UTC. Throws RangeError if unknown. */
  timezone?: string;
  /** Which of the first two numbers of a date such as 3/4/2024 is the month, where it is known from elsewhere. */
  dateOrder?: DateOrder | null;
  /** Columns to be read as text with a fixed set of values even if they look like numbers. */
  categories?: readonly string[];
  /** Columns that are left out. */
  exclude?: readonly string[];
  /** Leaves out every column that neither `columns` nor `timestamp` names: what is not used cannot be wrong. */
  onlyDeclared?: boolean;
  /** Texts that stand for a missing value besides the empty cell, such as `NA`. Default none. */
  missing?: readonly string[];
  /** Whether numbers have a comma as decimal mark. Default: detected, never with the comma as delimiter. */
  decimalComma?: boolean;
  delimiter?: Delimiter;
  /** How many faults are listed; all are counted. Default 100. */
  maxFaults?: number;
};

/** The times of a file, once read: which column they are in, how they were written, from when to when. */
export type CsvTimes = {
  column: string;
  /** The columns that they were read from: one, or date and hour. */
  columns: string[];
  format: TimestampFormat | null;
  /** For `dateOrder` when later files of the same data are read; null where the format leaves no doubt. */
  dateOrder: DateOrder | null;
};

/** A column as it was read. */
export type CsvColumn = { name: string; type: ColumnType; missing: number };

export type CsvResult = {
  /** Only to be used when there are no faults: cells with faults are missing in it. Without the rows that were taken. */
  table: Table;
  columns: CsvColumn[];
  rowCount: number;
  header: string[];
  /** The first ones, in the order of the file. */
  faults: Fault[];
  /** All of them. */
  faultCount: number;
  warnings: CsvWarning[];
  times: CsvTimes | null;
  delimiter: Delimiter;
  decimalComma: boolean;
  encoding: Encoding;
};
