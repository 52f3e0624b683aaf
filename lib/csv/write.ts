import type { Column, Table } from "#lib/contract/table";
import { escapeFormula } from "./formulas.ts";

const ROWS_A_PIECE = 1000;
/** Of a wide table a piece has fewer rows: while one is made nothing else is answered. */
const VALUES_A_PIECE = 4_000;
/** Every delimiter that readers guess is quoted, so that none takes another one for the file's. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

/**
 * A table as CSV (RFC 4180: commas, CR LF, quotes doubled), the header first, a thousand rows a piece at most, so that
 * a download never stands in memory as a whole. Missing values are empty; timestamps are ISO 8601 in UTC;
 * booleans `true` and `false`; numbers the shortest text that reads back to the same bits. Formulas in texts and names
 * are escaped, which the reader takes back: it gives the same table.
 */
export function* writeCsv(table: Table): Generator<string> {
  yield writeHeader(table.columns.map(({ name }) => name));
  yield* writeRows(table);
}

export function writeHeader(names: readonly string[]): string {
  return `${names.map(writeText).join(",")}\r\n`;
}

/** The rows without the header: those of a table that comes in parts are the same text as those of all of it. */
export function* writeRows(table: Table): Generator<string> {
  const cells = table.columns.map((column) => cellWriter(column));
  // A blank line is no row to a reader, so a missing value that stands alone is written as quotes.
  const blank = table.columns.length === 1 ? '""' : "";
  const rows = Math.max(1, Math.min(ROWS_A_PIECE, Math.floor(VALUES_A_PIECE / cells.length)));
  for (let from = 0; from < table.rowCount; from += rows) {
    let piece = "";
    for (let row = from; row < Math.min(table.rowCount, from + rows); row++) {
      for (let c = 0; c < cells.length; c++) piece += (c === 0 ? "" : ",") + (cells[c]!(row) || blank);
      piece += "\r\n";
    }
    yield piece;
  }
}

function cellWriter(column: Column): (row: number) => string {
  if (column.type === "category") {
    const written = column.categories.map(writeText);
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
export function writeText(text: string): string {
  const safe = escapeFormula(text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
