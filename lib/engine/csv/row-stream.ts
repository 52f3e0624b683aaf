import { type Dialect, detectDialect, parseRows, type QuoteError } from "./dialect.ts";
import { type IssueCode, shorten } from "./issues.ts";

/** Parses text in pieces of this length, so the result cannot depend on how a file was cut into chunks. */
const PIECE_CHARACTERS = 262_144;
/** Rejects longer rows: an unclosed quote must not collect the rest of a large file in memory. */
const MAX_ROW_CHARACTERS = 4_194_304;

/** Reason why no further row can be read. `cell` is the index (from 0) of the cell concerned. */
export type RowFailure = { code: IssueCode; cell: number | null; value: string | null; message: string };

/** Receives complete rows. Returns false to stop. */
type RowSink = (rows: readonly string[][], dialect: Dialect) => boolean;

/** Splits text that arrives in chunks into rows. Keeps at most one row of `MAX_ROW_CHARACTERS` and one piece. */
export class RowStream {
  failure: RowFailure | null = null;
  dialect: Dialect | null = null;
  readonly #sink: RowSink;
  #pending = "";
  #tail = "";
  #started = false;
  #ended = false;

  constructor(sink: RowSink) {
    this.#sink = sink;
  }

  push(text: string): void {
    if (this.#ended || text === "") return;
    // A byte order mark, if the text comes from a string.
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

  /** Removes and returns the text not emitted as rows, from the start of a row. The caller may `push` it again. */
  takeRest(): string {
    const rest = this.#tail + this.#pending;
    this.#tail = "";
    this.#pending = "";
    return rest;
  }

  /**
   * Emits the remaining rows. If the text is not complete, its last row was cut off and is dropped.
   */
  end(isComplete: boolean): void {
    if (this.#ended) return;
    this.#tail += this.#pending;
    this.#consume(isComplete);
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
    // The text that follows may resolve one quote error in an incomplete row. If another error follows, nothing can resolve
    // the first one.
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
      this.dialect = detectDialect(this.#tail, last);
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
      const message = `The row exceeds the limit of ${MAX_ROW_CHARACTERS} characters.`;
      this.#fail({ code: "row_too_long", cell: null, value: null, message });
    }
  }

  #failQuote(error: QuoteError, row: readonly string[]): void {
    const value = shorten(this.#tail.slice(error.index - 1, error.index + 100).split(/[\r\n]/)[0] ?? "");
    if (error.code === "MissingQuotes") {
      const message = `The quote that opens ${value} is never closed. Nothing after it can be read.`;
      this.#fail({ code: "unclosed_quote", cell: row.length - 1, value, message });
    } else {
      const message = `The closing quote of ${value} is not followed by a delimiter. Double the quotes inside quoted text. Nothing after it can be read.`;
      this.#fail({ code: "malformed_quote", cell: null, value, message });
    }
  }
}
