import { type Dialect, detectDialect, NewlineSearch } from "./dialect.ts";
import { type Issue, shorten } from "./issues.ts";
import { type QuotePlace, RowSplitter } from "./row-splitter.ts";

/** Parses text in pieces of this length, so the result cannot depend on how a file was cut into chunks. */
const PIECE_CHARACTERS = 262_144;
/** Rejects longer rows: an unclosed quote must not collect the rest of a large file in memory. */
const MAX_ROW_CHARACTERS = 4_194_304;

/** Reason why no further row can be read. `cell` is the index (from 0) of the cell concerned. */
export type RowFailure = Pick<Issue, "code" | "value" | "message" | "choices"> & { cell: number | null };

const LINE_END = /\r\n|\n|\r(?!$)/;

/** Finds the line of the header, from 1, in the first lines of a file. `most` is the number of lines that it needs, and one. */
type HeaderRow = { most: number; find: (lines: readonly string[]) => number };

/** Receives complete rows. Returns false to stop. */
type RowSink = (rows: readonly string[][], dialect: Dialect) => boolean;

/** Splits text that arrives in chunks into rows. Keeps at most one row of `MAX_ROW_CHARACTERS` and one piece. */
export class RowStream {
  failure: RowFailure | null = null;
  dialect: Dialect | null = null;
  readonly #sink: RowSink;
  readonly #newlines = new NewlineSearch();
  /** Null until the dialect is known. */
  #splitter: RowSplitter | null = null;
  /** Text that is shorter than a piece. */
  #pending = "";
  /** Text from the start of the incomplete row. */
  #tail = "";
  /** Characters that the splitter has read before the tail. */
  #tailStart = 0;
  #started = false;
  #ended = false;
  /** Finds the line of the header in the first lines, until it is found. */
  #headerRow: HeaderRow | null;

  /** @param headerRow finds the line of the header; null if the first line is the header */
  constructor(sink: RowSink, headerRow: HeaderRow | null = null) {
    this.#sink = sink;
    this.#headerRow = headerRow;
  }

  push(text: string): void {
    if (this.#ended || text === "") return;
    // A byte order mark, if the text comes from a string.
    const marked = !this.#started && text.charCodeAt(0) === 0xfeff;
    this.#started = true;
    this.#pending += marked ? text.slice(1) : text;
    if (!this.#dropLines(false)) return;
    let from = 0;
    while (this.#pending.length - from >= PIECE_CHARACTERS && !this.#ended) {
      this.#consume(this.#pending.slice(from, from + PIECE_CHARACTERS), false);
      from += PIECE_CHARACTERS;
    }
    if (from > 0) this.#pending = this.#pending.slice(from);
  }

  /** Removes and returns the text not emitted as rows, from the start of a row. The caller may `push` it again. */
  takeRest(): string {
    const rest = this.#tail + this.#pending;
    this.#tail = "";
    this.#pending = "";
    this.#splitter = null;
    return rest;
  }

  /**
   * Emits the remaining rows. If the text is not complete, its last row was cut off and is dropped.
   */
  end(isComplete: boolean): void {
    if (this.#ended) return;
    this.#dropLines(true);
    this.#consume(this.#pending, isComplete);
    this.#stop();
  }

  /** Removes the lines above the header. Returns false while there is too little text for it. */
  #dropLines(last: boolean): boolean {
    if (this.#headerRow === null) return true;
    const lines = this.#pending.split(LINE_END, this.#headerRow.most);
    if (!last && lines.length < this.#headerRow.most) return this.#pending.length > MAX_ROW_CHARACTERS;
    const above = this.#headerRow.find(lines) - 1;
    this.#headerRow = null;
    for (let line = 0; line < above; line++) {
      const end = LINE_END.exec(this.#pending);
      this.#pending = end === null ? "" : this.#pending.slice(end.index + end[0].length);
    }
    return true;
  }

  #stop(): void {
    this.#ended = true;
    this.#pending = "";
    this.#tail = "";
  }

  #fail(failure: RowFailure): void {
    this.failure = failure;
    this.#stop();
  }

  #consume(piece: string, last: boolean): void {
    this.#tail += piece;
    const text = this.dialect === null ? this.#begin(piece, last) : piece;
    if (text === null) {
      this.#limitRow(null);
      return;
    }
    this.#splitter ??= this.#startSplitter();
    const splitter = this.#splitter;
    const rows = splitter.push(text);
    const rest = last ? splitter.end() : null;
    const broken = splitter.malformed ?? (last ? splitter.open : null);
    const goesOn = this.#sink(rest === null ? rows : [...rows, rest], this.dialect!);
    if (!goesOn) this.#stop();
    else if (broken !== null) this.#failQuote(broken, splitter.malformed === null);
    else {
      // Only then, because a slice copies all pieces of a long row.
      if (rows.length > 0) {
        this.#tail = this.#tail.slice(splitter.rowStart - this.#tailStart);
        this.#tailStart = splitter.rowStart;
      }
      if (!last) this.#limitRow(splitter);
    }
  }

  /** Detects the dialect, and returns the text so far from the header on. Null if there is too little text for it. */
  #begin(piece: string, last: boolean): string | null {
    const newline = this.#newlines.push(piece, last);
    this.dialect = newline === null ? null : detectDialect(this.#tail, last, newline);
    if (this.dialect === null) return null;
    this.#tail = this.#tail.slice(this.dialect.skip);
    return this.#tail;
  }

  #startSplitter(): RowSplitter {
    this.#tailStart = 0;
    return new RowSplitter(this.dialect!);
  }

  #limitRow(splitter: RowSplitter | null): void {
    if (this.#tail.length <= MAX_ROW_CHARACTERS) return;
    const known = splitter ?? new RowSplitter({ delimiter: ",", newline: "\n" });
    if (splitter === null) {
      this.#tailStart = 0;
      known.push(this.#tail);
    }
    if (known.malformed !== null) this.#failQuote(known.malformed, false);
    else if (known.open !== null) this.#failQuote(known.open, true);
    else {
      const message = `The row exceeds the limit of ${MAX_ROW_CHARACTERS} characters.`;
      this.#fail({ code: "row_too_long", cell: null, value: null, message });
    }
  }

  #failQuote({ at, cell }: QuotePlace, isOpen: boolean): void {
    const from = at - this.#tailStart;
    const value = shorten(this.#tail.slice(from, from + 101).split(/[\r\n]/)[0] ?? "");
    if (isOpen) {
      const message = `The quote that opens ${value} is never closed. Nothing after it can be read.`;
      this.#fail({ code: "unclosed_quote", cell, value, message });
    } else {
      const message = `The closing quote of ${value} is not followed by a delimiter. Double the quotes inside quoted text. Nothing after it can be read.`;
      this.#fail({ code: "malformed_quote", cell: null, value, message });
    }
  }
}
