import type { ColumnFormatName, TimeFormatName } from "#lib/contract/reading";
import type { Column, ColumnType } from "#lib/contract/table";
import type { Delimiter } from "./dialect.ts";
import type { CsvWarning, IssueList } from "./issues.ts";
import type { NumberFormat } from "./number-format.ts";
import type { DateOrder } from "./timestamps.ts";

/** Settings shared by all columns of a file. */
export type ColumnSettings = {
  decimalComma: boolean;
  /** Texts, besides the empty cell, that mark a missing value. */
  missing: ReadonlySet<string>;
  /** The numbers among them. */
  missingNumbers: ReadonlySet<number>;
  isMarkSure: boolean;
  /** Chosen formats by column. */
  valueFormats: ReadonlyMap<string, ColumnFormatName>;
  timezone: string;
  dateOrder: DateOrder | null;
  delimiter: Delimiter;
  /** Stored or requested formats of times, by column. */
  timeFormats: ReadonlyMap<string, TimeFormatName>;
  /** Whether the dataset is older than stored formats: whole numbers are years or count since 1970. */
  isUnstored: boolean;
  numberFormats: ReadonlyMap<string, NumberFormat>;
  /** Collects the validation issues of all columns. */
  issues: IssueList;
  warn: (warning: CsvWarning) => void;
  /** Number of values examined to infer the type of an undeclared column. */
  sampleSize: number;
};

/** Declared properties of a column. A null type is inferred. */
export type ColumnExpectation = {
  name: string;
  type: ColumnType | null;
  missingAllowed: boolean;
  /** Name of an hour column that the file lacks. Each time of the column must then have a time of day. */
  absentHours?: string | undefined;
  /** Whether the column is neither the timestamp nor the target of a new dataset. An ambiguous one is then a warning. */
  isOther?: boolean;
  /** Whether the column is of a new dataset, so that its format is found. */
  isNew?: boolean;
  /** Whether the column is the timestamp. */
  isTime?: boolean;
  /** Whether the cells are those of several columns, joined by blanks; `names` are their names. */
  isJoined?: boolean;
  names?: readonly string[];
};

/** Reads the cells of one column from top to bottom. Cells arrive without surrounding white space. */
export interface CellReader {
  push(cell: string): void;
  /** Counts a row that cannot be read, for example a ragged row, which has its own issue. */
  skip(): void;
  /** Accepts numbers that are already parsed; if `needsMarks`, only those without a decimal mark. Null or absent if the text of a number matters, as in categories, or if a number may mark a missing value. */
  readonly numbers?: { pushNumber(value: number): void; needsMarks: boolean } | null | undefined;
  /** Whether `take` must wait for the last row. Absent means no. */
  readonly needsAllRows?: boolean;
  /** Returns the rows since the last call. */
  take(): Column;
}

export function isMissing(cell: string, settings: ColumnSettings): boolean {
  return cell === "" || (settings.missing.size > 0 && settings.missing.has(cell));
}
