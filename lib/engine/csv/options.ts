import type { ColumnType, Table } from "#lib/contract/table";
import type { Delimiter } from "./dialect.ts";
import type { CsvWarning, Issue } from "./issues.ts";
import type { NumberFormat } from "./number-format.ts";
import type { DateOrder, TimestampFormat } from "./timestamps.ts";

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
  /** The time column, or two columns to join: date, and hour or time of day. The joined column takes the first name. */
  timestamp?: string | readonly string[] | null;
  /** Name of an hour column that the file lacks. Each time must then have a time of day, so no date counts as midnight. */
  absentHours?: string | undefined;
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

/** The times of a file: source columns, format, and order of day and month. */
export type CsvTimes = {
  column: string;
  /** The source columns: one, or date and hour. */
  columns: string[];
  format: TimestampFormat | null;
  /** Value of `dateOrder` for later files of the same data. Null if the format is unambiguous. */
  dateOrder: DateOrder | null;
};

/** A column as read. */
export type CsvColumn = {
  name: string;
  type: ColumnType;
  missing: number;
  /** For a column without a declared type: the format that reads its first values, if they are not plain numbers. */
  numberFormat?: Omit<NumberFormat, "column"> | undefined;
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
};
