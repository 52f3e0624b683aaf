import type { Table } from "#lib/contract/table";
import { recogniseText } from "#lib/csv/magic";
import { ByteRows } from "./byte-rows.ts";
import { concat, TextChunkDecoder } from "./decode.ts";
import { type Dialect, isBlank, usesDecimalComma } from "./dialect.ts";
import type { Encoding } from "./encodings.ts";
import { columnsFor, numberPlaces } from "./file-columns.ts";
import { FileRows } from "./file-rows.ts";
import { looksLikeData, MAX_COLUMNS, readHeader } from "./header.ts";
import { type CsvWarning, type FaultCode, FaultList } from "./issues.ts";
import { emptyColumns } from "./missing-values.ts";
import type { CsvOptions, CsvResult } from "./options.ts";
import { type RowFailure, RowStream } from "./row-stream.ts";
import { ZoneClock } from "./timezones.ts";

/**
 * Reads one CSV file that arrives in chunks, of bytes or of text. Memory: the columns, and one row at most of
 * four million characters. After `failed` is true further chunks are ignored, and a caller may stop reading.
 */
export class CsvReader {
  readonly #options: CsvOptions;
  readonly #decoder = new TextChunkDecoder();
  readonly #stream: RowStream;
  readonly #faults: FaultList;
  readonly #warnings: CsvWarning[] = [];
  #decimalComma = false;
  #header: string[] | null = null;
  /** null until there is a header. */
  #rows: FileRows | null = null;
  #failed = false;
  /** Reads what need not become text, from the first piece of text to the first line that does; then null for good. */
  #bytes: ByteRows | null | undefined;
  /** Where bytes are read: the beginning of a line, and memory for the chunk that goes on with it. */
  #held: Uint8Array = new Uint8Array(0);
  #heldBytes = 0;

  /** Throws RangeError if the time zone is not known. */
  constructor(options: CsvOptions = {}) {
    this.#options = options;
    this.#faults = new FaultList(options.maxFaults ?? 100);
    this.#stream = new RowStream(options.delimiter ?? null, (rows, dialect) => this.#readRows(rows, dialect));
    new ZoneClock(options.timezone ?? "UTC");
  }

  /** Whether the rest of the file cannot be read (no text, a broken quote, an endless row). */
  get failed(): boolean {
    return this.#failed;
  }

  get rowCount(): number {
    return this.#rows?.count ?? 0;
  }

  /** Of bytes; known after the first few of them. */
  get encoding(): Encoding {
    return this.#decoder.encoding;
  }

  /** Values that are read and were not taken yet, 8 bytes each. */
  get cellsHeld(): number {
    return this.rowsHeld * (this.#rows?.columns.length ?? 0);
  }

  /** Rows that are read and were not taken yet. */
  get rowsHeld(): number {
    return this.#rows?.held ?? 0;
  }

  /**
   * The rows that were read since the last call, so that they need not all be kept; `finish` gives the last ones. Null where
   * only all rows together tell what they are: dates with the year last, a date and an hour that are joined, a column whose
   * type is not known yet.
   */
  takeRows(): Table | null {
    const { timestamp } = this.#options;
    const isJoined = timestamp != null && typeof timestamp !== "string" && timestamp.length > 1;
    if (isJoined) return null;
    return this.#rows === null ? noRows() : this.#rows.take();
  }

  push(chunk: Uint8Array | string): void {
    if (this.#failed) return;
    if (typeof chunk === "string") {
      const nul = chunk.indexOf("\0");
      const message = "There is a NUL character.";
      this.#pushText(
        nul === -1 ? chunk : chunk.slice(0, nul),
        nul === -1 ? null : { code: "nul_character", message },
      );
    } else if (this.#bytes != null) this.#pushBytes(chunk);
    else {
      this.#pushText(this.#decoder.push(chunk), this.#decoder.fault);
      if (this.#bytes === undefined && this.#header !== null && !this.#failed) this.#beginBytes();
    }
  }

  /** What the text that has been read says of the file stays; its last row, not whole yet, is read again. */
  #beginBytes(): void {
    const { dialect } = this.#stream;
    if (dialect?.newline !== "\n" || this.encoding !== "utf-8") {
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
    this.#bytes = null;
    const rest = this.#held.subarray(0, this.#heldBytes);
    this.#held = new Uint8Array(0);
    this.#heldBytes = 0;
    this.#pushText(this.#decoder.push(rest), this.#decoder.fault);
  }

  /** @param options.isCutOff more of the file would follow: what has come of a row that has not ended is left out */
  finish({ isCutOff = false } = {}): CsvResult {
    if (!isCutOff) {
      if (this.#bytes != null) this.#endBytes();
      if (!this.#failed) this.#pushText(this.#decoder.finish(), this.#decoder.fault);
    }
    if (!this.#failed) {
      this.#stream.end(!isCutOff);
      this.#noteFailure();
    }
    if (!this.#failed) this.#checkSize();
    return this.#result();
  }

  /** With a fault the text ends: the rows before that place are read, and the fault is in the row it cuts off. */
  #pushText(text: string, fault: { code: FaultCode; message: string } | null): void {
    this.#stream.push(text);
    if (fault !== null) this.#stream.end(false);
    this.#noteFailure();
    if (fault === null || this.#failed) return;
    this.#fail({ cell: null, value: null, code: fault.code, message: fault.message });
  }

  #noteFailure(): void {
    if (this.#stream.failure !== null && !this.#failed) this.#fail(this.#stream.failure);
  }

  #fail({ code, cell, value, message }: RowFailure): void {
    const row = this.#header === null ? null : this.rowCount + 1;
    const column = cell === null ? null : (this.#header?.[cell] ?? null);
    const where = row === null ? message : `Row ${row}: ${message[0]!.toLowerCase()}${message.slice(1)}`;
    this.#faults.add({ row, column, value, code, message: where });
    this.#failed = true;
  }

  #readRows(rows: readonly string[][], dialect: Dialect): boolean {
    let from = 0;
    if (this.#header === null) {
      while (from < rows.length && isBlank(rows[from]!)) from++;
      const header = rows[from];
      if (header === undefined) return true;
      from++;
      this.#start(header, rows.slice(from, from + 1000), dialect);
      if (this.#failed) return false;
    }
    for (let r = from; r < rows.length; r++) this.#rows!.add(rows[r]!);
    return true;
  }

  #start(cells: readonly string[], sample: readonly string[][], dialect: Dialect): void {
    const foreign = recogniseText(cells[0]!.trim());
    if (foreign !== null) {
      this.#fail({ cell: null, value: null, ...foreign });
      return;
    }
    const header = readHeader(cells, this.#faults);
    this.#header = header;
    this.#faults.orderBy(header);
    if (cells.length > MAX_COLUMNS) {
      this.#failed = true;
      return;
    }
    if (looksLikeData(header)) {
      const message = "The header has only numbers: is the first line of the file already data?";
      this.#warnings.push({ code: "header_looks_like_data", column: null, message });
    }
    const places = numberPlaces(header, this.#options);
    this.#decimalComma = this.#options.decimalComma ?? usesDecimalComma(sample, dialect.delimiter, places);
    const columns = columnsFor(header, this.#options, this.#decimalComma, this.#faults);
    this.#rows = new FileRows(columns, {
      width: header.length,
      delimiter: dialect.delimiter,
      options: this.#options,
      faults: this.#faults,
    });
  }

  #checkSize(): void {
    if (this.#header === null) {
      const message = "The file is empty.";
      this.#faults.add({ row: null, column: null, value: null, code: "empty_file", message });
    } else if (this.rowCount === 0) {
      const message = "The file has a header, but no rows.";
      this.#faults.add({ row: null, column: null, value: null, code: "no_rows", message });
    }
  }

  #result(): CsvResult {
    const { table, read, times } = this.#rows?.finish() ?? nothingRead();
    const { rowCount } = this;
    return {
      table,
      columns: read,
      rowCount,
      header: this.#header ?? [],
      faults: this.#faults.faults,
      faultCount: this.#faults.count,
      warnings: [...this.#warnings, ...emptyColumns(read, rowCount)],
      times,
      delimiter: this.#stream.dialect?.delimiter ?? ",",
      decimalComma: this.#decimalComma,
      encoding: this.encoding,
    };
  }
}

const noRows = (): Table => ({ rowCount: 0, columns: [] });
const nothingRead = (): ReturnType<FileRows["finish"]> => ({ table: noRows(), read: [], times: null });
