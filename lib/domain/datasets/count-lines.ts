import type { Encoding } from "#lib/engine/csv/encodings";

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const QUOTE = 34;
const SPACE = 32;
/** Units after which a quote opens a cell: line ends, delimiters, and the last one of a byte order mark. */
const BEFORE_CELL = new Set([
  NEWLINE,
  CARRIAGE_RETURN,
  ..."\t,;|".split("").map((mark) => mark.charCodeAt(0)),
  0xfeff,
  0xbf,
]);

/** Counts the non-blank lines of a text. Line breaks within quoted cells do not count. */
export class LineCounter {
  #ended = 0;
  #filled = false;
  #quoted = false;
  #previous = NEWLINE;
  /** Whether the previous unit is a quote that closed a cell. Another quote then continues the cell. */
  #closed = false;
  /** First byte of an incomplete UTF-16 unit, or -1. */
  #half = -1;

  /** Number of lines so far, including an unfinished one. */
  get count(): number {
    return this.#ended + (this.#filled ? 1 : 0);
  }

  push(chunk: Uint8Array, encoding: Encoding): void {
    this.#see(encoding === "utf-8" ? chunk : this.#units(chunk, encoding === "utf-16le"));
  }

  #see(units: Uint8Array | Uint16Array): void {
    let ended = this.#ended;
    let filled = this.#filled;
    let quoted = this.#quoted;
    let closedAt = this.#closed ? -1 : -2;
    for (let i = 0; i < units.length; i++) {
      const unit = units[i]!;
      if (unit === QUOTE) {
        filled = true;
        if (quoted) closedAt = i;
        const previous = i > 0 ? units[i - 1]! : this.#previous;
        quoted = !quoted && (closedAt === i - 1 || BEFORE_CELL.has(previous));
      } else if (!quoted && (unit === NEWLINE || unit === CARRIAGE_RETURN)) {
        if (filled) ended++;
        filled = false;
      } else if (unit > SPACE) filled = true;
    }
    this.#ended = ended;
    this.#filled = filled;
    this.#quoted = quoted;
    if (units.length > 0) {
      this.#previous = units[units.length - 1]!;
      this.#closed = closedAt === units.length - 1;
    }
  }

  #units(chunk: Uint8Array, littleEndian: boolean): Uint16Array {
    const carried = this.#half < 0 ? 0 : 1;
    const bytes = new Uint8Array(carried + chunk.length);
    bytes[0] = this.#half;
    bytes.set(chunk, carried);
    this.#half = bytes.length % 2 === 0 ? -1 : bytes[bytes.length - 1]!;
    const view = new DataView(bytes.buffer);
    return Uint16Array.from({ length: bytes.length >> 1 }, (_, at) => view.getUint16(at * 2, littleEndian));
  }
}
