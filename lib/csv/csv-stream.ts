import type { Table } from "#lib/contract/table";
import { type DecodeFault, TextChunkDecoder } from "./decode.ts";
import {
  type Dialect,
  detectDialect,
  isBlank,
  parseRows,
  type QuoteError,
  usesDecimalComma,
} from "./dialect.ts";
import { type CsvWarning, FaultList, firstFaults, shorten } from "./faults.ts";
import { columnsFor, type FileColumn, finishColumns } from "./file-columns.ts";
import { looksLikeData, MAX_COLUMNS, readHeader } from "./header.ts";
import type { CsvColumn, CsvOptions, CsvResult } from "./options.ts";
import { ZoneClock } from "./timezones.ts";

/**
 * The text is always parsed in pieces of this length, however it arrives: so the result cannot depend on how
 * a file was cut into chunks.
 */
const PIECE_CHARACTERS = 262_144;
/** A longer row is refused: an unclosed quote must not collect the rest of a large file in memory. */
const MAX_ROW_CHARACTERS = 4_194_304;

/**
 * Reads one CSV file that arrives in chunks, of bytes or of text. Memory: the columns, and one row at most of
 * `MAX_ROW_CHARACTERS`. After `failed` is true further chunks are ignored, and a caller may stop reading.
 */
export class CsvReader {
  readonly #options: CsvOptions;
  readonly #maxFaults: number;
  readonly #decoder = new TextChunkDecoder();
  readonly #faults: FaultList;
  readonly #warnings: CsvWarning[] = [];
  #pending = "";
  #tail = "";
  #dialect: Dialect | null = null;
  #decimalComma = false;
  #header: string[] | null = null;
  #columns: FileColumn[] = [];
  #rowCount = 0;
  /** Blank lines of a file with one column: missing values, unless nothing follows them. */
  #blankRows = 0;
  #started = false;
  #failed = false;

  /** Throws RangeError if the time zone is not known. */
  constructor(options: CsvOptions = {}) {
    this.#options = options;
    this.#maxFaults = options.maxFaults ?? 100;
    this.#faults = new FaultList(this.#maxFaults);
    new ZoneClock(options.timezone ?? "UTC");
  }

  /** Whether the rest of the file cannot be read (no text, a broken quote, an endless row). */
  get failed(): boolean {
    return this.#failed;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  push(chunk: Uint8Array | string): void {
    if (this.#failed) return;
    if (typeof chunk === "string") this.#pushText(chunk);
    else {
      this.#pushText(this.#decoder.push(chunk));
      if (this.#decoder.fault !== null) this.#failDecoding(this.#decoder.fault);
    }
  }

  finish(): CsvResult {
    if (!this.#failed) {
      this.#pushText(this.#decoder.finish());
      if (this.#decoder.fault !== null) this.#failDecoding(this.#decoder.fault);
    }
    if (!this.#failed) {
      this.#tail += this.#pending;
      this.#pending = "";
      this.#consume(true);
    }
    if (!this.#failed) this.#checkSize();
    return this.#result();
  }

  #pushText(text: string): void {
    if (text === "") return;
    let clean = text;
    if (!this.#started) {
      this.#started = true;
      if (clean.charCodeAt(0) === 0xfeff) clean = clean.slice(1);
    }
    const nul = clean.indexOf("\0");
    this.#pending += nul === -1 ? clean : clean.slice(0, nul);
    let from = 0;
    while (this.#pending.length - from >= PIECE_CHARACTERS && !this.#failed) {
      this.#tail += this.#pending.slice(from, from + PIECE_CHARACTERS);
      from += PIECE_CHARACTERS;
      this.#consume(false);
    }
    if (from > 0) this.#pending = this.#pending.slice(from);
    if (nul !== -1 && !this.#failed) {
      this.#failDecoding({ code: "nul_character", message: "There is a NUL character.", byteOffset: 0 });
    }
  }

  /** Reads the rows before the place where the text ends, then adds the fault at the row it is in. */
  #failDecoding(fault: DecodeFault): void {
    this.#tail += this.#pending;
    this.#pending = "";
    if (!this.#failed) this.#consume(false);
    if (this.#failed) return;
    const row = this.#header === null ? null : this.#rowCount + 1;
    this.#fail({ row, column: null, value: null, code: fault.code, message: fault.message });
  }

  #fail(fault: Parameters<FaultList["add"]>[0]): void {
    this.#faults.add(fault);
    this.#failed = true;
    this.#tail = "";
    this.#pending = "";
  }

  #consume(last: boolean): void {
    if (this.#dialect === null) {
      this.#dialect = detectDialect(this.#tail, last, this.#options.delimiter ?? null);
      if (this.#dialect === null) {
        this.#limitRow();
        return;
      }
      this.#tail = this.#tail.slice(this.#dialect.skip);
    }
    const { rows, cursor, quoteErrors } = parseRows(this.#tail, this.#dialect, last);
    // In a row that is not whole yet one bad quote may only lack what follows it; before a second it does not.
    const broken =
      quoteErrors.find((error) => error.row < rows.length) ??
      (quoteErrors.length > 1 ? quoteErrors[0] : undefined);
    const whole = broken === undefined ? rows : rows.slice(0, broken.row);
    this.#readRows(whole);
    if (this.#failed) return;
    if (broken !== undefined) {
      this.#failQuote(broken, rows[broken.row] ?? []);
      return;
    }
    this.#tail = this.#tail.slice(cursor);
    if (!last) this.#limitRow();
  }

  #limitRow(): void {
    if (this.#tail.length <= MAX_ROW_CHARACTERS) return;
    const { delimiter, newline } = this.#dialect ?? { delimiter: ",", newline: "\n" };
    const { rows, quoteErrors } = parseRows(this.#tail, { delimiter, newline }, true);
    const open = quoteErrors[0];
    if (open !== undefined) {
      this.#failQuote(open, rows[open.row] ?? []);
      return;
    }
    const message = `The row is longer than ${MAX_ROW_CHARACTERS} characters.`;
    this.#fail({ row: this.#nextRow(), column: null, value: null, code: "row_too_long", message });
  }

  #nextRow(): number | null {
    return this.#header === null ? null : this.#rowCount + 1;
  }

  #failQuote(error: QuoteError, row: readonly string[]): void {
    const value = shorten(this.#tail.slice(error.index - 1, error.index + 100).split(/[\r\n]/)[0] ?? "");
    const unclosed = error.code === "MissingQuotes";
    this.#fail({
      row: this.#nextRow(),
      column: unclosed ? (this.#header?.[row.length - 1] ?? null) : null,
      value,
      code: unclosed ? "unclosed_quote" : "malformed_quote",
      message: unclosed
        ? `A quote is opened before ${value} and never closed; nothing after it can be read.`
        : `After the closing quote of ${value} something other than the delimiter follows; quotes inside quoted text are doubled. Nothing after it can be read.`,
    });
  }

  #readRows(rows: readonly string[][]): void {
    let from = 0;
    if (this.#header === null) {
      while (from < rows.length && isBlank(rows[from]!)) from++;
      const header = rows[from];
      if (header === undefined) return;
      from++;
      this.#start(header, rows.slice(from, from + 1000));
      if (this.#failed) return;
    }
    const columns = this.#columns;
    const width = this.#header!.length;
    for (let r = from; r < rows.length; r++) {
      const row = rows[r]!;
      if (row.length === 1 && isBlank(row)) {
        this.#blankRows++;
        continue;
      }
      if (this.#blankRows > 0) this.#readBlankRows();
      this.#rowCount++;
      if (row.length !== width) {
        this.#readRagged(row, width);
        continue;
      }
      for (let c = 0; c < columns.length; c++) {
        const column = columns[c]!;
        column.reader.push(trimmed(row[column.index]!));
      }
    }
  }

  /** With several columns a blank line is no row; with one it is a missing value. */
  #readBlankRows(): void {
    if (this.#header!.length === 1) {
      for (let i = 0; i < this.#blankRows; i++) {
        this.#rowCount++;
        for (const { reader } of this.#columns) reader.push("");
      }
    }
    this.#blankRows = 0;
  }

  #readRagged(row: readonly string[], width: number): void {
    for (const { reader } of this.#columns) reader.skip();
    const number = this.#rowCount;
    const cells = (count: number) => `${count} ${count === 1 ? "value" : "values"}`;
    this.#faults.addLazily(() => ({
      row: number,
      column: null,
      value: shorten(row.join(this.#dialect!.delimiter)),
      code: "ragged_row",
      message: `Row ${number} has ${cells(row.length)}, the header has ${width} columns.`,
      expected: cells(width),
    }));
  }

  #start(cells: readonly string[], sample: readonly string[][]): void {
    const header = readHeader(cells, this.#faults);
    this.#header = header;
    if (cells.length > MAX_COLUMNS) {
      this.#failed = true;
      return;
    }
    if (looksLikeData(header)) {
      const message = "The header has only numbers: is the first line of the file already data?";
      this.#warnings.push({ code: "header_looks_like_data", column: null, message });
    }
    this.#decimalComma = this.#options.decimalComma ?? usesDecimalComma(sample, this.#dialect!.delimiter);
    this.#columns = columnsFor(header, this.#options, this.#decimalComma, this.#faults);
  }

  #checkSize(): void {
    if (this.#header === null) {
      const message = "The file is empty.";
      this.#faults.add({ row: null, column: null, value: null, code: "empty_file", message });
    } else if (this.#rowCount === 0) {
      const message = "The file has a header, but no rows.";
      this.#faults.add({ row: null, column: null, value: null, code: "no_rows", message });
    }
  }

  #result(): CsvResult {
    const header = this.#header ?? [];
    const { columns, times, extraFaults } = finishColumns(this.#columns, this.#options, this.#maxFaults);
    const lists = [this.#faults, ...this.#columns.map(({ reader }) => reader.faults), extraFaults];
    const table: Table = { rowCount: this.#rowCount, columns };
    const read = columns.map((column) => ({
      name: column.name,
      type: column.type,
      missing: missingCount(column),
    }));
    return {
      table,
      columns: read,
      rowCount: this.#rowCount,
      header,
      faults: firstFaults(
        lists.flatMap((list) => list.faults),
        header,
        this.#maxFaults,
      ),
      faultCount: lists.reduce((sum, list) => sum + list.count, 0),
      warnings: [...this.#warnings, ...emptyColumns(read, this.#rowCount)],
      times,
      delimiter: this.#dialect?.delimiter ?? ",",
      decimalComma: this.#decimalComma,
      encoding: this.#decoder.encoding,
    };
  }
}

function emptyColumns(columns: readonly CsvColumn[], rowCount: number): CsvWarning[] {
  return columns
    .filter(({ missing }) => rowCount > 0 && missing === rowCount)
    .map(({ name }) => ({ code: "empty_column", column: name, message: `Column "${name}" has no values.` }));
}

function missingCount(column: Table["columns"][number]): number {
  let count = 0;
  if (column.type === "category") {
    const { codes } = column;
    for (let i = 0; i < codes.length; i++) if (codes[i] === -1) count++;
  } else {
    const { values } = column;
    for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) count++;
  }
  return count;
}

/** Looks at the two ends first: nearly no cell has white space around it. */
function trimmed(cell: string): string {
  const first = cell.charCodeAt(0);
  const last = cell.charCodeAt(cell.length - 1);
  return first <= 32 || last <= 32 || first >= 160 || last >= 160 ? cell.trim() : cell;
}
