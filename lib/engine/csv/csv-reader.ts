import type { Table } from "#lib/contract/table";
import { ZoneClock } from "#lib/engine/time/timezones";
import { ByteRows } from "./byte-rows.ts";
import { csvResult } from "./csv-result.ts";
import { concat, TextChunkDecoder } from "./decode.ts";
import { type Dialect, decimalMarkOf, isBlank } from "./dialect.ts";
import type { Encoding } from "./encodings.ts";
import { columnsFor, numberPlaces } from "./file-columns.ts";
import { FileRows } from "./file-rows.ts";
import { looksLikeData, MAX_COLUMNS, readHeader } from "./header.ts";
import { headerBelow, headerRowOf, probableHeader } from "./header-row.ts";
import { type CsvWarning, type IssueCode, IssueList } from "./issues.ts";
import { recogniseText } from "./magic.ts";
import type { CellBatch, CsvOptions, CsvResult, SheetBatch, TableChunk } from "./options.ts";
import { orderParts } from "./part-order.ts";
import { type RowFailure, RowStream } from "./row-stream.ts";
import { SheetLines } from "./sheet-lines.ts";
import { type LongRows, longRowsFor } from "./wide/long-rows.ts";
import { wideWarning } from "./wide/wide-header.ts";

/** Bytes that mostly suffice to read the header. Only those before it are read as text. */
const FIRST_BYTES = 1 << 18;

/**
 * Reads one CSV file that arrives in chunks of bytes or text. Holds the columns and at most one row (four million
 * characters) and one piece of input text (a quarter million characters) in memory. Ignores further chunks once `failed` is
 * true, so the caller can stop reading.
 */
export class CsvReader {
  readonly #options: CsvOptions;
  readonly #decoder: TextChunkDecoder;
  readonly #stream: RowStream;
  readonly #issues: IssueList;
  readonly #warnings: CsvWarning[] = [];
  #decimalComma = false;
  #header: string[] | null = null;
  /** Null until the header is read. */
  #rows: FileRows | null = null;
  /** The sheet, if the file is a workbook. */
  #sheet: SheetLines | null = null;
  /** Turns the rows of a wide table into long ones; null for long tables. */
  #long: LongRows | null = null;
  #failed = false;
  /** Fast reader of bytes. Undefined until the header is read; null while text is read instead. */
  #bytes: ByteRows | null | undefined;
  /** Bytes of an incomplete line, with room for the next chunk. */
  #held: Uint8Array = new Uint8Array(0);
  #heldBytes = 0;

  /** @throws RangeError if the time zone is unknown. */
  constructor(options: CsvOptions = {}) {
    this.#options = options;
    this.#issues = new IssueList();
    const { encoding, storedEncoding = null } = options;
    this.#decoder = new TextChunkDecoder(encoding ?? storedEncoding, encoding === undefined);
    this.#stream = new RowStream((rows, dialect) => this.#readRows(rows, dialect), headerRowOf(options));
    new ZoneClock(options.timezone ?? "UTC"); // Throws for an unknown zone.
  }

  /** Whether the rest of the file cannot be read: not text, too many columns, a broken quote or an oversized row. */
  get failed(): boolean {
    return this.#failed;
  }

  get rowCount(): number {
    return this.#rows?.count ?? 0;
  }

  /** Encoding of the bytes. Known after the first few bytes. */
  get encoding(): Encoding {
    return this.#decoder.encoding;
  }

  /** Number of values read but not taken yet, 4 or 8 bytes each. */
  get cellsHeld(): number {
    return this.rowsHeld * (this.#rows?.columns.length ?? 0);
  }

  /** Number of rows read but not taken yet. */
  get rowsHeld(): number {
    return this.#rows?.held ?? 0;
  }

  /**
   * Returns the rows read since the last call, so that the caller need not keep all of them. `finish` returns the last
   * ones. Returns null if a column needs all rows: dates with the year last, a joined date and hour, or a type not
   * inferred yet.
   */
  takeRows(): Table | null {
    return this.#rows === null ? { rowCount: 0, columns: [] } : this.#rows.take();
  }

  push(chunk: TableChunk): void {
    if (this.#failed) return;
    if (typeof chunk === "string") {
      const nul = chunk.indexOf("\0");
      const message = "The file contains a NUL character.";
      this.#pushText(
        nul === -1 ? chunk : chunk.slice(0, nul),
        nul === -1 ? null : { code: "nul_character", message },
      );
    } else if (!(chunk instanceof Uint8Array)) {
      if ("rows" in chunk) this.#pushSheet(chunk);
      else if ("cells" in chunk) this.#pushCells(chunk);
      else this.#fail({ cell: null, value: null, ...chunk });
    } else if (this.#bytes != null) this.#pushBytes(chunk);
    else if (this.#bytes === undefined && chunk.length > FIRST_BYTES) {
      this.push(chunk.subarray(0, FIRST_BYTES));
      this.push(chunk.subarray(FIRST_BYTES));
    } else {
      this.#pushText(this.#decoder.push(chunk), this.#decoder.issue);
      if (this.#bytes === undefined && this.#header !== null && !this.#failed) this.#beginBytes();
    }
  }

  /**
   * Reads the first rows as text, which decides types and formats, and then the cells themselves. Numbers that become text
   * and numbers again take four times as long.
   */
  #pushCells(batch: CellBatch): void {
    // A wide table and a single column have rules of their own for lines.
    if (this.#header === null || this.#long !== null || this.#header.length === 1) {
      this.push(batch.bytes());
      return;
    }
    if (this.#bytes != null) this.#endBytes();
    this.#stream.end(true);
    this.#recordFailure();
    if (!this.#failed) this.#rows!.addCells(batch);
  }

  #pushSheet(chunk: SheetBatch): void {
    this.#sheet ??= new SheetLines(chunk, this.#options);
    this.#warnings.push(...chunk.notes.map((note) => ({ ...note, column: null })));
    this.#readRows(this.#sheet.below(chunk.rows), { delimiter: ",", newline: "\n", skip: 0 });
  }

  /** Switches from text to bytes. Keeps the state of the rows read so far and rereads the incomplete last row. */
  #beginBytes(): void {
    const { dialect } = this.#stream;
    if (dialect?.newline !== "\n" || this.encoding !== "utf-8" || this.#long !== null) {
      this.#bytes = null;
      return;
    }
    const rows = this.#rows!;
    this.#bytes = new ByteRows({
      dialect,
      decimalComma: this.#decimalComma,
      width: rows.width,
      columns: rows.columns,
      onRow: () => rows.begin(),
      onIrregular: (cells) => rows.add(cells),
    });
    this.#pushBytes(this.#decoder.takeBack(this.#stream.takeRest()));
  }

  #pushBytes(chunk: Uint8Array): void {
    const length = this.#heldBytes + chunk.length;
    if (length > this.#held.length)
      this.#held = concat(this.#held, new Uint8Array(length - this.#held.length));
    this.#held.set(chunk, this.#heldBytes);
    const { read, stopped } = this.#bytes!.read(this.#held.subarray(0, length));
    this.#decoder.skip(read);
    this.#held.copyWithin(0, read, length);
    this.#heldBytes = length - read;
    if (stopped) this.#endBytes();
  }

  #endBytes(): void {
    if (this.#bytes?.hasOthers) this.#decoder.decideUtf8();
    this.#bytes = null;
    const rest = this.#held.subarray(0, this.#heldBytes);
    this.#held = new Uint8Array(0);
    this.#heldBytes = 0;
    this.#pushText(this.#decoder.push(rest), this.#decoder.issue);
  }

  /**
   * @param options.isCutOff whether the file continues beyond the last chunk; an incomplete last row is then dropped
   */
  finish({ isCutOff = false } = {}): CsvResult {
    if (!isCutOff && this.#sheet === null) {
      if (this.#bytes != null) this.#endBytes();
      if (!this.#failed) this.#pushText(this.#decoder.finish(), this.#decoder.issue);
    }
    if (!this.#failed && this.#sheet === null) {
      this.#stream.end(!isCutOff);
      this.#recordFailure();
    }
    if (!this.#failed) this.#checkSize();
    return this.#result();
  }

  /** Reads text. The text ends at an issue: complete rows before it are kept, and the issue names the incomplete row. */
  #pushText(text: string, issue: { code: IssueCode; message: string } | null): void {
    this.#stream.push(text);
    if (issue !== null) this.#stream.end(false);
    this.#recordFailure();
    if (issue === null || this.#failed) return;
    this.#fail({ cell: null, value: null, code: issue.code, message: issue.message });
  }

  #recordFailure(): void {
    if (this.#stream.failure !== null && !this.#failed) this.#fail(this.#stream.failure);
  }

  #fail({ code, cell, value, message, choices, column: named }: RowFailure & { column?: string }): void {
    const row = this.#header === null ? null : this.rowCount + 1;
    const column = named ?? (cell === null ? null : (this.#header?.[cell] ?? null));
    const located = row === null ? message : `Row ${row}: ${message[0]!.toLowerCase()}${message.slice(1)}`;
    this.#issues.add({ row, column, value, code, message: located, ...(choices && { choices }) });
    this.#failed = true;
  }

  #readRows(rows: readonly (readonly string[])[], dialect: Dialect): boolean {
    let from = 0;
    if (this.#header === null) {
      while (from < rows.length && isBlank(rows[from]!)) from++;
      const header = rows[from];
      if (header === undefined) return true;
      const probable = this.#options.headerRow === undefined ? probableHeader(rows) : null;
      if (probable !== null && this.#options.columns === undefined) {
        this.#issues.add(headerBelow(probable, rows));
        this.#failed = true;
        return false;
      }
      from++;
      this.#start(header, rows.slice(from, from + 1000), dialect);
      if (this.#failed) return false;
    }
    this.#sheet?.skip(from);
    for (let r = from; r < rows.length; r++) {
      if (this.#long === null) this.#rows!.add(rows[r]!);
      else this.#long.addTo(this.#rows!, rows[r]!);
      this.#sheet?.next(this.#long?.wide.starts.length ?? this.rowCount);
    }
    return true;
  }

  #start(cells: readonly string[], sample: readonly (readonly string[])[], dialect: Dialect): void {
    const otherFormat = recogniseText(cells[0]!.trim());
    if (otherFormat !== null) {
      this.#fail({ cell: null, value: null, ...otherFormat });
      return;
    }
    const written = readHeader(cells, this.#issues);
    if (this.#sheet !== null) this.#sheet.origin.header = written;
    this.#long = longRowsFor(written, this.#options, this.#issues);
    const header = this.#long?.header ?? written;
    this.#header = header;
    this.#issues.orderBy(header);
    if (cells.length > MAX_COLUMNS) {
      this.#failed = true;
      return;
    }
    if (looksLikeData(header)) {
      const message = "The header contains only numbers. If the first line is data, add a header.";
      this.#warnings.push({ code: "header_looks_like_data", column: null, message });
    }
    if (this.#long === null && this.#options.columns === undefined)
      this.#warnings.push(...wideWarning(header, sample));
    const shown = this.#long === null ? sample : sample.slice(0, 100).flatMap((row) => this.#long!.of(row));
    const options = orderParts(this.#options, header, shown, this.#issues);
    const places = numberPlaces(header, options);
    const marks = decimalMarkOf(shown, dialect.delimiter, places, options.decimalMark);
    this.#decimalComma = marks.decimalComma;
    const columns = columnsFor(header, options, {
      ...marks,
      delimiter: dialect.delimiter,
      issues: this.#issues,
      warn: (warning) => this.#warnings.push(warning),
    });
    this.#rows = new FileRows(columns, {
      width: header.length,
      delimiter: dialect.delimiter,
      // Rows of the file are left out before they become long.
      options: this.#long === null ? options : { ...options, skipRows: undefined },
      issues: this.#issues,
    });
  }

  #checkSize(): void {
    if (this.#header === null) {
      const message = "The file is empty.";
      this.#issues.add({ row: null, column: null, value: null, code: "empty_file", message });
    } else if (this.rowCount === 0) {
      const message = "The file has a header but no rows.";
      this.#issues.add({ row: null, column: null, value: null, code: "no_rows", message });
    }
  }

  #result(): CsvResult {
    return csvResult({
      rows: this.#rows,
      header: this.#header ?? [],
      origin: { wide: this.#long?.wide ?? null, sheet: this.#sheet?.origin ?? null },
      issues: this.#issues,
      warnings: this.#warnings,
      sheetWarnings: this.#sheet?.warnings ?? [],
      decoder: this.#decoder,
      delimiter: this.#stream.dialect?.delimiter ?? ",",
      decimalComma: this.#decimalComma,
      options: this.#options,
    });
  }
}
