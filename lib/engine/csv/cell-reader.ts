import type { Column, ColumnType } from "#lib/contract/table";
import type { FaultList } from "./issues.ts";
import type { DateOrder } from "./timestamps.ts";

/** What every column of one file is read with. */
export type ColumnSettings = {
  decimalComma: boolean;
  /** Texts that stand for a missing value besides the empty cell. */
  missing: ReadonlySet<string>;
  timezone: string;
  dateOrder: DateOrder | null;
  /** Where all columns put their faults. */
  faults: FaultList;
  /** How many values are looked at before an undeclared column gets its type. */
  sampleSize: number;
};

/** What is known of a column before it is read. Without a type it is inferred. */
export type ColumnExpectation = { name: string; type: ColumnType | null; missingAllowed: boolean };

/** Takes the cells of one column, top to bottom, white space around them removed. */
export interface CellReader {
  push(cell: string): void;
  /** A row that is counted but cannot be read (it is ragged, and has its own fault). */
  skip(): void;
  /** For numbers that were read already, where no number has a meaning of its own; null or absent elsewhere. */
  readonly numbers?: { pushNumber(value: number): void } | null | undefined;
  /** Whether `take` may be asked before the last row; absent where it may. */
  readonly isWholeOnly?: boolean;
  /** The rows since the last call. */
  take(): Column;
}

export function isMissing(cell: string, settings: ColumnSettings): boolean {
  return cell === "" || (settings.missing.size > 0 && settings.missing.has(cell));
}
