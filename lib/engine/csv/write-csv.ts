import type { Column, Table } from "#lib/contract/table";
import { escapeFormula } from "./formulas.ts";

const ROWS_A_PIECE = 1000;
/** Maximum values per piece. Wide tables get fewer rows, because creating a piece blocks all other requests. */
const VALUES_A_PIECE = 4_000;
/** Quotes every delimiter that readers may guess, so that no reader mistakes one for the file's. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

const DAY_MS = 86_400_000;
/** Numbers as two digits, and as three. */
const SIXTY = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const THOUSAND = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

export function writeHeader(names: readonly string[]): string {
  return `${names.map(writeText).join(",")}\r\n`;
}

/** Writes a table that comes in parts as CSV: the header of the first part, and the rows of all. */
export async function* writeCsv(parts: AsyncIterable<Table> | Iterable<Table>): AsyncGenerator<string> {
  let hasHeader = false;
  for await (const part of parts) {
    if (!hasHeader) yield writeHeader(part.columns.map(({ name }) => name));
    hasHeader = true;
    yield* writeRows(part);
  }
}

/**
 * Writes the rows of a table as CSV (RFC 4180: commas, CR LF, doubled quotes) without the header, in pieces of at most a
 * thousand rows, so that a download is never in memory as a whole. Missing values are empty, timestamps ISO 8601 in UTC,
 * booleans `true` and `false`, and numbers the shortest text that reads back to the same bits. Formulas in texts and
 * names are escaped; the reader reverses this and returns the same table. The parts of a table give the same text as the
 * whole.
 */
export function* writeRows(table: Table): Generator<string> {
  const cells = table.columns.map((column) => cellWriter(column));
  // Readers skip blank lines, so a single missing value is written as quotes.
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

/** Writes times in ISO 8601 like `Date`, but faster: rows of a series mostly have the same day as the row before. */
export function timeWriter(): (ms: number) => string {
  let day = Number.NaN;
  let date = "";
  return (ms) => {
    const wholeMs = Math.trunc(ms);
    const dayOfRow = Math.floor(wholeMs / DAY_MS);
    if (dayOfRow !== day) {
      const midnight = new Date(dayOfRow * DAY_MS).toISOString();
      date = midnight.slice(0, midnight.indexOf("T") + 1);
      day = dayOfRow;
    }
    const clock = wholeMs - day * DAY_MS;
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

/** Writes one text cell and escapes formulas. Numbers such as -1.5 stay unchanged. */
export const writeText = (text: string): string => quoted(escapeFormula(text));

/** Writes a cell in quotes if a reader could split it. */
export const quoted = (cell: string): string =>
  NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
