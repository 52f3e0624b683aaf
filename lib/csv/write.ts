import type { Column, Table } from "#lib/contract/table";
import { readNumber } from "./numbers.ts";

export type WriteOptions = {
  /** Whether texts that a spreadsheet would run as a formula get an apostrophe in front. Default true. */
  escapeFormulas?: boolean;
};

const ROWS_A_PIECE = 1000;
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/**
 * A table as CSV (RFC 4180: commas, CR LF, quotes doubled), the header first, a thousand rows a piece, so that
 * a download never stands in memory as a whole. Missing values are empty; timestamps are ISO 8601 in UTC;
 * booleans `true` and `false`; numbers the shortest text that reads back to the same bits.
 */
export function* writeCsv(table: Table, options: WriteOptions = {}): Generator<string> {
  yield `${table.columns.map(({ name }) => writeText(name, options)).join(",")}\r\n`;
  yield* writeRows(table, options);
}

/** The rows alone: for a table that is written part by part. */
export function* writeRows(table: Table, options: WriteOptions = {}): Generator<string> {
  const cells = table.columns.map((column) => cellWriter(column, options));
  // A blank line is no row to a reader, so a missing value that stands alone is written as quotes.
  const blank = table.columns.length === 1 ? '""' : "";
  for (let from = 0; from < table.rowCount; from += ROWS_A_PIECE) {
    let piece = "";
    for (let row = from; row < Math.min(table.rowCount, from + ROWS_A_PIECE); row++) {
      for (let c = 0; c < cells.length; c++) piece += (c === 0 ? "" : ",") + (cells[c]!(row) || blank);
      piece += "\r\n";
    }
    yield piece;
  }
}

function cellWriter(column: Column, options: WriteOptions): (row: number) => string {
  if (column.type === "category") {
    const written = column.categories.map((category) => writeText(category, options));
    return (row) => written[column.codes[row]!] ?? "";
  }
  const { values } = column;
  if (column.type === "number") return (row) => writeNumber(values[row]!);
  const write = column.type === "boolean" ? (value: number) => String(value === 1) : writeTime;
  return (row) => (Number.isNaN(values[row]) ? "" : write(values[row]!));
}

function writeTime(ms: number): string {
  return new Date(ms).toISOString();
}

function writeNumber(value: number): string {
  if (Number.isNaN(value)) return "";
  return Object.is(value, -0) ? "-0" : String(value);
}

/** One text cell. What a spreadsheet would take for a formula is made text; a number such as -1.5 is none. */
export function writeText(text: string, options: WriteOptions = {}): string {
  const risky =
    options.escapeFormulas !== false && FORMULA.test(text) && Number.isNaN(readNumber(text, false));
  const safe = risky ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
