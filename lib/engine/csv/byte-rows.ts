import type { CellReader } from "./cell-reader.ts";
import type { Dialect } from "./dialect.ts";
import type { FileColumn } from "./file-columns.ts";
import { POWERS_OF_TEN } from "./numbers.ts";

/** Longer lines go to the text reader, which limits the memory held while a line is incomplete. */
const LINE_BYTES_MAX = 65_536;

/** Lines after which the ways to read cells are looked at again. */
const LINES_OF_KINDS = 1_000;

/** One character for each byte. */
const BYTES_AS_TEXT = new TextDecoder("latin1");

/** How each cell is read, by column index. */
const UNREAD = 0;
const NUMBER = 1;
const TEXT = 2;
/** A number without a decimal mark. */
const WHOLE = 3;
/** Returned in place of a cell count if the text reader must read the line. */
const NEEDS_TEXT = 0;

const NUL = 0;
const LF = 10;
const CR = 13;
const QUOTE = 34;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;

type ByteRowsOptions = {
  dialect: Dialect;
  decimalComma: boolean;
  /** Number of columns in the header. */
  width: number;
  columns: readonly FileColumn[];
  /** Called for each row before its cells reach the column readers. Returns whether the row is read. */
  onRow: () => boolean;
  /** Receives a line that may be blank, or whose cell count differs from the header's. */
  onIrregular: (cells: string[]) => void;
};

/**
 * Reads unquoted UTF-8 lines directly from bytes, without creating text for numbers. The results equal those of the
 * tokenizer and the column readers on the same text.
 */
export class ByteRows {
  readonly #options: ByteRowsOptions;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #kinds: Uint8Array;
  /** The current line by cell index: the number, or NaN and the start and end of its text. */
  readonly #numbers: Float64Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Whether a character beyond ASCII was read. */
  hasOthers = false;
  /** The complete lines of the bytes, each byte as a character. Null until the first use. */
  #text: string | null = null;

  constructor(options: ByteRowsOptions) {
    const { width } = options;
    this.#options = options;
    this.#kinds = new Uint8Array(width);
    this.#numbers = new Float64Array(width);
    this.#starts = new Int32Array(width);
    this.#ends = new Int32Array(width);
  }

  /**
   * Reads complete lines from the start of the bytes.
   *
   * @returns `read`: bytes read. `stopped`: whether the next line needs the text reader, because it contains a quote,
   *   a NUL or invalid UTF-8, or is too long.
   */
  read(bytes: Uint8Array): { read: number; stopped: boolean } {
    this.#bytes = bytes;
    this.#text = null;
    this.#kinds.fill(UNREAD);
    for (let start = 0, line = 0; ; line++) {
      // Texts decide types and marks.
      if (line % LINES_OF_KINDS === 0)
        for (const { index, reader } of this.#options.columns) this.#kinds[index] = kindOf(reader);
      const end = bytes.indexOf(LF, start);
      if (end < 0) return { read: start, stopped: bytes.length - start > LINE_BYTES_MAX };
      if (end - start > LINE_BYTES_MAX || !this.#readLine(bytes, start, end))
        return { read: start, stopped: true };
      start = end + 1;
    }
  }

  #readLine(bytes: Uint8Array, start: number, end: number): boolean {
    const { width, columns, dialect, onRow, onIrregular } = this.#options;
    const cells = this.#cut(bytes, start, end > start && bytes[end - 1] === CR ? end - 1 : end);
    const isRegular = Math.abs(cells) === width && (width > 1 || !Number.isNaN(this.#numbers[0]!));
    const line = cells < 0 || !isRegular ? this.#decode(start, end) : "";
    if (cells === NEEDS_TEXT || line === null) return false;
    if (cells < 0) this.hasOthers = true;
    if (!isRegular) {
      onIrregular(line.split(dialect.delimiter));
      return true;
    }
    if (!onRow()) return true;
    for (let c = 0; c < columns.length; c++) {
      const { index, reader } = columns[c]!;
      const value = this.#numbers[index]!;
      if (Number.isNaN(value)) reader.push(trimmed(this.#cellText(this.#starts[index]!, this.#ends[index]!)));
      else reader.numbers!.pushNumber(value);
    }
    return true;
  }

  /**
   * Splits the line into cells and reads the numbers. Returns the cell count, negative if a byte is not ASCII, or
   * `NEEDS_TEXT`.
   */
  #cut(bytes: Uint8Array, start: number, end: number): number {
    const { dialect, decimalComma, width } = this.#options;
    const delimiter = dialect.delimiter.charCodeAt(0);
    const mark = decimalComma ? COMMA : POINT;
    let cell = 0;
    let seen = 0;
    for (let from = start; ; cell++) {
      let at = from;
      let value = Number.NaN;
      const kind = cell < width ? this.#kinds[cell] : UNREAD;
      if (kind === NUMBER || kind === WHOLE) {
        const sign = bytes[at];
        if (sign === MINUS || sign === PLUS) at++;
        let mantissa = 0;
        const first = at;
        let digit = bytes[at]! - ZERO;
        while (digit >= 0 && digit <= 9) {
          mantissa = mantissa * 10 + digit;
          digit = bytes[++at]! - ZERO;
        }
        let digits = at - first;
        let scale = 0;
        if (bytes[at] === mark && at < end && kind === NUMBER) {
          const fraction = ++at;
          digit = bytes[at]! - ZERO;
          while (digit >= 0 && digit <= 9) {
            mantissa = mantissa * 10 + digit;
            digit = bytes[++at]! - ZERO;
          }
          scale = at - fraction;
          digits += scale;
        }
        // Same result as `readNumber`, which reads all other cells as text.
        if (digits > 0 && digits <= 15 && (at === end || bytes[at] === delimiter)) {
          value = mantissa / POWERS_OF_TEN[scale]!;
          if (sign === MINUS) value = -value;
        } else at = from;
      }
      if (Number.isNaN(value)) {
        for (; at < end && bytes[at] !== delimiter; at++) {
          const byte = bytes[at]!;
          if (byte === QUOTE || byte === NUL) return NEEDS_TEXT;
          seen |= byte;
        }
      }
      if (cell < width) {
        this.#numbers[cell] = value;
        this.#starts[cell] = from;
        this.#ends[cell] = at;
      }
      if (at >= end) break;
      from = at + 1;
    }
    return seen < 128 ? cell + 1 : -(cell + 1);
  }

  /** Slices one text with a character for each byte, because slices cost less than separate texts. Decodes other cells. */
  #cellText(from: number, to: number): string {
    if (from === to) return "";
    this.#text ??= BYTES_AS_TEXT.decode(this.#bytes.subarray(0, this.#bytes.lastIndexOf(LF) + 1));
    for (let at = from; at < to; at++) if (this.#bytes[at]! >= 0x80) return this.#decode(from, to)!;
    return this.#text.slice(from, to);
  }

  /** Returns null for invalid UTF-8. */
  #decode(from: number, to: number): string | null {
    try {
      return this.#decoder.decode(this.#bytes.subarray(from, to));
    } catch {
      return null;
    }
  }
}

const kindOf = ({ numbers }: CellReader) => (numbers == null ? TEXT : numbers.needsMarks ? WHOLE : NUMBER);

/** Removes the white space around a cell. Checks both ends first, because almost no cell has any. */
export function trimmed(cell: string): string {
  const first = cell.charCodeAt(0);
  const last = cell.charCodeAt(cell.length - 1);
  return first <= 32 || last <= 32 || first >= 160 || last >= 160 ? cell.trim() : cell;
}
