const QUOTE = 34;
/** Before the first character of a cell. */
const START = 0;
const PLAIN = 1;
const QUOTED = 2;
/** After a quote within a quoted cell: it closes the cell, or is the first of two that stand for one. */
const CLOSED = 3;

/** A quote that breaks the text. `at` counts characters from the start, `cell` the cells before it in its row. */
export type QuotePlace = { at: number; cell: number };

/**
 * Splits text that arrives in pieces into rows of cells (RFC 4180). Reads each character once, also in long rows and
 * with any content. White space may stand between a closing quote and the end of its cell.
 */
export class RowSplitter {
  /** The first closing quote that other text follows. No row is read after it. */
  malformed: QuotePlace | null = null;
  /** Characters read before the incomplete row. */
  rowStart = 0;
  readonly #delimiter: string;
  readonly #newline: string;
  readonly #rowsMax: number;
  #rowCount = 0;
  #cells: string[] = [];
  #state = START;
  /** Text of the incomplete cell from earlier pieces, without its opening quote. */
  #held = "";
  /** Whether two quotes within the cell stand for one. */
  #hasPairs = false;
  /** Whether white space follows the closing quote. */
  #isSpaced = false;
  #openedAt = 0;
  /** Characters of earlier pieces. */
  #before = 0;

  constructor(
    { delimiter, newline }: { delimiter: string; newline: string },
    rowsMax = Number.POSITIVE_INFINITY,
  ) {
    this.#delimiter = delimiter;
    this.#newline = newline;
    this.#rowsMax = rowsMax;
  }

  /** The opening quote of the incomplete cell, if nothing has closed it yet. */
  get open(): QuotePlace | null {
    return this.#state === QUOTED ? this.#place() : null;
  }

  /** Returns the rows that end in the piece. */
  push(piece: string): string[][] {
    const isPlain = this.#state <= PLAIN && !piece.includes('"');
    const rows = isPlain ? this.#splitPlain(piece) : this.#split(piece);
    this.#before += piece.length;
    return rows;
  }

  /** Ends the text. Returns the last row; null if it is empty, or if a quote is open. */
  end(): string[] | null {
    if (this.#isBetweenRows() || this.open !== null || this.malformed !== null || this.#isFull()) return null;
    this.#endCell("");
    return this.#cells;
  }

  #isBetweenRows = () => this.#state === START && this.#cells.length === 0;
  #isFull = () => this.#rowCount >= this.#rowsMax;
  #place = (): QuotePlace => ({ at: this.#openedAt, cell: this.#cells.length });

  /** Splits text without quotes, after a row that is incomplete perhaps. */
  #splitPlain(piece: string): string[][] {
    const end = piece.lastIndexOf(this.#newline);
    const lines = end < 0 ? [] : piece.slice(0, end).split(this.#newline);
    const left = this.#rowsMax - this.#rowCount;
    const rows = (lines.length > left ? lines.slice(0, left) : lines).map((line) => this.#cellsOf(line));
    this.#rowCount += rows.length;
    if (rows.length > 0) this.rowStart = this.#before + end + 1;
    if (end + 1 < piece.length && !this.#isFull()) {
      const cells = this.#cellsOf(piece.slice(end + 1));
      this.#held = cells.pop()!;
      this.#cells = cells;
      this.#state = this.#held === "" ? START : PLAIN;
    }
    return rows;
  }

  /** Returns the cells of the incomplete row and of the text behind it. */
  #cellsOf(text: string): string[] {
    const cells = text.split(this.#delimiter);
    if (this.#isBetweenRows()) return cells;
    cells[0] = this.#held + cells[0]!;
    const all = this.#cells.length === 0 ? cells : this.#cells.concat(cells);
    this.#held = "";
    this.#cells = [];
    this.#state = START;
    return all;
  }

  #split(piece: string): string[][] {
    const rows: string[][] = [];
    const ends = new NextEnds(piece, this.#delimiter, this.#newline);
    /** Start of the part of the cell that `#held` does not contain. */
    let from = 0;
    /** Place of the quote that the state `CLOSED` is about; -1 if an earlier piece ended with it. */
    let closedAt = -1;
    let at = 0;
    const endCell = (text: string) => {
      this.#endCell(text);
      const isRow = piece[at] === this.#newline;
      at++;
      from = at;
      if (!isRow) return;
      rows.push(this.#cells);
      this.#cells = [];
      this.#rowCount++;
      this.rowStart = this.#before + at;
    };
    while (at < piece.length && this.malformed === null && !this.#isFull()) {
      if (this.#state === START) {
        from = at;
        this.#state = piece.charCodeAt(at) === QUOTE ? QUOTED : PLAIN;
        if (this.#state === QUOTED) {
          this.#openedAt = this.#before + at;
          from = ++at;
        }
      } else if (this.#state === PLAIN) {
        at = ends.after(at);
        if (at < piece.length) endCell(piece.slice(from, at));
      } else if (this.#state === QUOTED) {
        const quote = piece.indexOf('"', at);
        at = quote < 0 ? piece.length : quote + 1;
        if (quote < 0) break;
        closedAt = quote;
        this.#state = CLOSED;
        this.#isSpaced = false;
      } else {
        const sign = piece[at]!;
        if (sign === '"' && !this.#isSpaced) {
          if (closedAt < 0) this.#held += '"';
          if (closedAt < 0) from = at;
          this.#hasPairs = true;
          this.#state = QUOTED;
          at++;
        } else if (sign === this.#delimiter || sign === this.#newline) {
          endCell(closedAt < 0 ? "" : piece.slice(from, closedAt));
        } else if (sign.trim() === "") {
          this.#isSpaced = true;
          at++;
        } else this.malformed = this.#place();
      }
    }
    if (this.#state === PLAIN || this.#state === QUOTED) this.#held += piece.slice(from);
    else if (this.#state === CLOSED && closedAt >= 0) this.#held += piece.slice(from, closedAt);
    return rows;
  }

  #endCell(rest: string): void {
    const text = this.#held === "" ? rest : this.#held + rest;
    this.#cells.push(this.#hasPairs ? text.replaceAll('""', '"') : text);
    this.#held = "";
    this.#hasPairs = false;
    this.#state = START;
  }
}

/** Searches for ends of cells. Searches for each of the two signs again only after the last one found. */
class NextEnds {
  readonly #piece: string;
  readonly #signs: readonly string[];
  readonly #next = [-1, -1];

  constructor(piece: string, ...signs: string[]) {
    this.#piece = piece;
    this.#signs = signs;
  }

  /** Returns the place of the next delimiter or line end, or the length of the piece. */
  after(at: number): number {
    const next = this.#next;
    for (let sign = 0; sign < next.length; sign++) {
      if (next[sign]! >= at) continue;
      const found = this.#piece.indexOf(this.#signs[sign]!, at);
      next[sign] = found < 0 ? this.#piece.length : found;
    }
    return Math.min(next[0]!, next[1]!);
  }
}

/** Splits a text at once, or its first rows. `last`: whether the rest after the last line end is a row too. */
export function splitRows(
  text: string,
  { rowsMax, ...dialect }: { delimiter: string; newline: string; rowsMax?: number },
  last: boolean,
): { rows: string[][]; isBroken: boolean } {
  const splitter = new RowSplitter(dialect, rowsMax);
  const rows = splitter.push(text);
  const isBroken = splitter.malformed !== null || (last && splitter.open !== null);
  const rest = last ? splitter.end() : null;
  return { rows: rest === null ? rows : [...rows, rest], isBroken };
}
