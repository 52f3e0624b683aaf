import type { Column, Table } from "#lib/contract/table";
import { escapeFormula } from "./formulas.ts";

const ROWS_A_PIECE = 1000;
/** Of a wide table a piece has fewer rows: while one is made nothing else is answered. */
const VALUES_A_PIECE = 4_000;
/** Every delimiter that readers guess is quoted, so that none takes another one for the file's. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

const DAY_MS = 86_400_000;
/** Numbers as two digits, and as three. */
const SIXTY = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const THOUSAND = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

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
  const write = column.type === "boolean" ? (value: number) => String(value === 1) : timeWriter();
  return (row) => (Number.isNaN(values[row]) ? "" : write(values[row]!));
}

/** Writes times as `Date` does. Asking it takes long; rows of a series mostly have the day of the row before. */
function timeWriter(): (ms: number) => string {
  let day = Number.NaN;
  let date = "";
  return (ms) => {
    const whole = Math.trunc(ms);
    const ofRow = Math.floor(whole / DAY_MS);
    if (ofRow !== day) {
      const midnight = new Date(ofRow * DAY_MS).toISOString();
      date = midnight.slice(0, midnight.indexOf("T") + 1);
      day = ofRow;
    }
    const clock = whole - day * DAY_MS;
    const hour = SIXTY[Math.floor(clock / 3_600_000)]!;
    const minute = SIXTY[Math.floor(clock / 60_000) % 60]!;
    const second = SIXTY[Math.floor(clock / 1000) % 60]!;
    return `${date}${hour}:${minute}:${second}.${THOUSAND[clock % 1000]!}Z`;
  };
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
