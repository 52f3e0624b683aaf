import { type Delimiter, type Dialect, detectDialect, parseRows, type QuoteError } from "./dialect.ts";
import { type FaultCode, shorten } from "./issues.ts";

/**
 * The text is always parsed in pieces of this length, however it arrives: so the result cannot depend on how
 * a file was cut into chunks.
 */
const PIECE_CHARACTERS = 262_144;
/** A longer row is refused: an unclosed quote must not collect the rest of a large file in memory. */
const MAX_ROW_CHARACTERS = 4_194_304;

/** Why no further row can be read. `cell`: the place, from 0, of the cell it concerns. */
export type RowFailure = { code: FaultCode; cell: number | null; value: string | null; message: string };

/** Takes whole rows as they come; false if it wants no more. */
export type RowSink = (rows: readonly string[][], dialect: Dialect) => boolean;

/** Text in chunks of any size to rows. Keeps one row at most of `MAX_ROW_CHARACTERS`, and one piece. */
export class RowStream {
  failure: RowFailure | null = null;
  dialect: Dialect | null = null;
  readonly #delimiter: Delimiter | null;
  readonly #sink: RowSink;
  #pending = "";
  #tail = "";
  #started = false;
  #ended = false;

  constructor(delimiter: Delimiter | null, sink: RowSink) {
    this.#delimiter = delimiter;
    this.#sink = sink;
  }

  push(text: string): void {
    if (this.#ended || text === "") return;
    // A byte order mark, where the text comes from a string.
    const marked = !this.#started && text.charCodeAt(0) === 0xfeff;
    this.#started = true;
    this.#pending += marked ? text.slice(1) : text;
    let from = 0;
    while (this.#pending.length - from >= PIECE_CHARACTERS && !this.#ended) {
      this.#tail += this.#pending.slice(from, from + PIECE_CHARACTERS);
      from += PIECE_CHARACTERS;
      this.#consume(false);
    }
    if (from > 0) this.#pending = this.#pending.slice(from);
  }

  /** What was not given out as rows yet, from the start of a row; it may come back by `push`. */
  takeRest(): string {
    const rest = this.#tail + this.#pending;
    this.#tail = "";
    this.#pending = "";
    return rest;
  }

  /** Gives out what is left: with `whole` the last row as well, else (the text was cut off) only rows before it. */
  end(whole: boolean): void {
    if (this.#ended) return;
    this.#tail += this.#pending;
    this.#consume(whole);
    this.#stop();
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

  #consume(last: boolean): void {
    const dialect = this.#ensureDialect(last);
    if (dialect === null) {
      this.#limitRow(",", "\n");
      return;
    }
    const { rows, cursor, quoteErrors } = parseRows(this.#tail, dialect, last);
    // In a row that is not whole yet one bad quote may only lack what follows it; before a second it does not.
    const broken =
      quoteErrors.find((error) => error.row < rows.length) ??
      (quoteErrors.length > 1 ? quoteErrors[0] : undefined);
    const goesOn = this.#sink(broken === undefined ? rows : rows.slice(0, broken.row), dialect);
    if (!goesOn) this.#stop();
    else if (broken !== undefined) this.#failQuote(broken, rows[broken.row] ?? []);
    else {
      this.#tail = this.#tail.slice(cursor);
      if (!last) this.#limitRow(dialect.delimiter, dialect.newline);
    }
  }

  #ensureDialect(last: boolean): Dialect | null {
    if (this.dialect === null) {
      this.dialect = detectDialect(this.#tail, last, this.#delimiter);
      this.#tail = this.#tail.slice(this.dialect?.skip ?? 0);
    }
    return this.dialect;
  }

  #limitRow(delimiter: string, newline: string): void {
    if (this.#tail.length <= MAX_ROW_CHARACTERS) return;
    const { rows, quoteErrors } = parseRows(this.#tail, { delimiter, newline }, true);
    const open = quoteErrors[0];
    if (open !== undefined) this.#failQuote(open, rows[open.row] ?? []);
    else {
      const message = `The row is longer than ${MAX_ROW_CHARACTERS} characters.`;
      this.#fail({ code: "row_too_long", cell: null, value: null, message });
    }
  }

  #failQuote(error: QuoteError, row: readonly string[]): void {
    const value = shorten(this.#tail.slice(error.index - 1, error.index + 100).split(/[\r\n]/)[0] ?? "");
    if (error.code === "MissingQuotes") {
      const message = `A quote is opened before ${value} and never closed; nothing after it can be read.`;
      this.#fail({ code: "unclosed_quote", cell: row.length - 1, value, message });
    } else {
      const message = `After the closing quote of ${value} something other than the delimiter follows; quotes inside quoted text are doubled. Nothing after it can be read.`;
      this.#fail({ code: "malformed_quote", cell: null, value, message });
    }
  }
}
