import {
  completeLength,
  detectEncoding,
  type Encoding,
  isUtf8BesideStored,
  nulUtf16At,
  SAMPLE_BYTES,
} from "./encodings.ts";
import type { IssueCode } from "./issues.ts";
import { HEAD_BYTES, recognise } from "./magic.ts";

const SHOWN_BYTES = 30;

const ADVICE = "Save the file as UTF-8, or send its encoding as `encoding`, such as windows-1252.";
/** Requests with further files of a dataset have no option for the encoding. */
const ADVICE_STORED =
  "Files of this dataset are read in the encoding of its first file. Save the file as UTF-8.";

/** Reason why bytes are not text. `byteOffset` counts from the start of the file. */
type DecodeIssue = { code: IssueCode; message: string; byteOffset: number };

/**
 * Decodes bytes chunk by chunk: UTF-8 with or without a byte order mark, UTF-16 with one, and otherwise the given encoding
 * or the one that the first mebibyte shows. With the encoding of a dataset, the first mebibyte may only show UTF-8, because
 * downloads of the service are UTF-8. At invalid bytes, returns the text before them and sets `issue` with the reason
 * and the position.
 */
export class TextChunkDecoder {
  issue: DecodeIssue | null = null;
  encoding: Encoding = "utf-8";
  #carry: Uint8Array = new Uint8Array(0);
  #started = false;
  /** Whether the encoding is known. Without a byte order mark, more bytes decide it. */
  #isDecided: boolean;
  /** Bytes decoded so far. The carry begins here. */
  #offset = 0;
  /** First bytes beyond ASCII, to show the encoding. Empty if it is not another one than UTF-8. */
  others: Uint8Array = new Uint8Array(0);
  /** Decoder of an encoding other than UTF-8 and UTF-16, which keeps incomplete characters. */
  #other: TextDecoder | null = null;

  /** Whether the encoding is that of a dataset, and the file may still show UTF-8. */
  #mayBeUtf8: boolean;
  readonly #advice: string;

  /**
   * @param encoding name of the encoding of files without a byte order mark; null if their bytes decide
   * @param isStored whether it is the encoding of a dataset. Then a further file may also be UTF-8. Beside a dataset of UTF-8 the
   *   bytes decide, because a file that is not UTF-8 shows it.
   */
  constructor(encoding: Encoding | null = null, isStored = false) {
    const known = isStored && encoding === "utf-8" ? null : encoding;
    this.#isDecided = known !== null;
    this.#mayBeUtf8 = isStored && known !== null;
    this.#advice = isStored && known !== null ? ADVICE_STORED : ADVICE;
    if (known !== null) this.encoding = known;
  }

  push(chunk: Uint8Array): string {
    if (this.issue !== null) return "";
    const bytes = this.#carry.length === 0 ? chunk : concat(this.#carry, chunk);
    if (!this.#started && bytes.length < HEAD_BYTES) {
      this.#carry = bytes.slice();
      return "";
    }
    return this.#decode(bytes, false);
  }

  /** @param isCutOff whether the file continues, so that an incomplete character is no issue */
  finish(isCutOff = false): string {
    if (this.issue !== null || (isCutOff && this.#isDecided)) return "";
    if (isCutOff && !this.#started) return "";
    return this.#decode(this.#carry, true);
  }

  /** Returns the given text as bytes, followed by the bytes not decoded yet. UTF-8 only. */
  takeBack(text: string): Uint8Array {
    const bytes = new TextEncoder().encode(text);
    this.#offset -= bytes.length;
    const carry = this.#carry;
    this.#carry = new Uint8Array(0);
    return concat(bytes, carry);
  }

  /** Decides for UTF-8, because another reader found characters of it. */
  decideUtf8(): void {
    this.#isDecided = true;
  }

  /** Advances the position by bytes that another reader consumed, so that issues name the right offset. */
  skip(bytes: number): void {
    this.#offset += bytes;
  }

  #decode(input: Uint8Array, last: boolean): string {
    const bytes = this.#started ? input : this.#start(input);
    if (this.issue !== null) return "";
    if (this.#mayBeUtf8) {
      if (!last && bytes.length < SAMPLE_BYTES) {
        this.#carry = bytes.slice();
        return "";
      }
      this.#mayBeUtf8 = false;
      if (isUtf8BesideStored(bytes.subarray(0, SAMPLE_BYTES), this.encoding)) this.encoding = "utf-8";
    }
    if (!this.#isDecided) {
      // Without a call for each byte: a tenth of the time to read a file.
      let other = 0;
      while (other < bytes.length && bytes[other]! < 0x80) other++;
      const isUtf8 = this.#isUtf8At(bytes, other);
      const isKnown = last || isUtf8 || this.#offset + bytes.length >= SAMPLE_BYTES;
      if (!isKnown) {
        // ASCII is the same in all encodings. The rest waits for more bytes.
        const text = this.#decodeWhole(bytes.subarray(0, other));
        this.#offset += other;
        this.#carry = bytes.slice(other);
        return text;
      }
      this.#isDecided = other < bytes.length || this.#offset + bytes.length >= SAMPLE_BYTES;
      if (other < bytes.length && !isUtf8) {
        const sample = bytes.subarray(other, SAMPLE_BYTES - this.#offset);
        this.encoding = detectEncoding(sample);
        this.others = sample.slice(0, SHOWN_BYTES);
      }
    }
    if (!this.encoding.startsWith("utf-")) return this.#decodeOther(bytes, last);
    const completeBytes = last ? bytes.length : completeLength(bytes, this.encoding);
    const text = this.#decodeWhole(bytes.subarray(0, completeBytes));
    this.#offset += completeBytes;
    this.#carry = bytes.slice(completeBytes);
    return text;
  }

  /** Returns whether the first character beyond ASCII is one of UTF-8, which others hardly form by chance. */
  #isUtf8At(bytes: Uint8Array, at: number): boolean {
    const length = completeLength(bytes.subarray(0, at + 4), "utf-8");
    return at < length && new TextDecoder("utf-8").decode(bytes.subarray(at, length))[0] !== "\ufffd";
  }

  #decodeOther(bytes: Uint8Array, last: boolean): string {
    this.#other ??= new TextDecoder(this.encoding, { fatal: true });
    const from = this.#offset;
    this.#carry = new Uint8Array(0);
    this.#offset += bytes.length;
    try {
      const text = this.#other.decode(bytes, { stream: !last });
      if (!text.includes("\0")) return text;
    } catch {
      // Reported below.
    }
    const message = `The file is not text in ${this.encoding}, from byte ${from} on. ${this.#advice}`;
    this.issue = { code: "invalid_encoding", message, byteOffset: from };
    return "";
  }

  /** Detects a byte order mark and returns the bytes after it. */
  #start(bytes: Uint8Array): Uint8Array {
    this.#started = true;
    const otherFormat = recognise(bytes);
    if (otherFormat !== null) {
      this.issue = { ...otherFormat, byteOffset: 0 };
      return bytes;
    }
    let mark = 0;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) mark = 3;
    else if (bytes[0] === 0xff && bytes[1] === 0xfe) {
      this.encoding = "utf-16le";
      mark = 2;
    } else if (bytes[0] === 0xfe && bytes[1] === 0xff) {
      this.encoding = "utf-16be";
      mark = 2;
    }
    if (mark > 0) {
      this.#isDecided = true;
      this.#mayBeUtf8 = false;
      if (mark === 3) this.encoding = "utf-8";
    }
    this.#offset = mark;
    return bytes.subarray(mark);
  }

  #decodeWhole(bytes: Uint8Array): string {
    const nul = this.encoding === "utf-8" ? bytes.indexOf(0) : nulUtf16At(bytes);
    const clean = nul === -1 ? bytes : bytes.subarray(0, nul);
    if (nul !== -1) {
      const byteOffset = this.#offset + nul;
      const message = `The file contains a NUL character at byte ${byteOffset}. If the file is UTF-16, save it with a byte order mark, or as UTF-8.`;
      this.issue = { code: "nul_character", message, byteOffset };
    }
    try {
      return this.#text(clean);
    } catch {
      const text = this.#textBeforeInvalid(clean);
      const textBytes = this.encoding === "utf-8" ? new TextEncoder().encode(text).length : 2 * text.length;
      const byteOffset = this.#offset + textBytes;
      const message = `The byte at offset ${byteOffset} is not valid ${this.encoding.toUpperCase()}. ${this.#advice}`;
      this.issue = { code: "invalid_encoding", message, byteOffset };
      return text;
    }
  }

  /** @param isPart whether an incomplete last character is left out instead of rejected */
  #text(bytes: Uint8Array, isPart = false): string {
    return new TextDecoder(this.encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isPart });
  }

  /** Searches for the longest valid start, because the decoder does not report where it stopped. */
  #textBeforeInvalid(bytes: Uint8Array): string {
    let text = "";
    let valid = 0;
    for (let end = bytes.length; valid < end; ) {
      const middle = Math.ceil((valid + end) / 2);
      try {
        text = this.#text(bytes.subarray(0, middle), true);
        valid = middle;
      } catch {
        end = middle - 1;
      }
    }
    return text;
  }
}

export function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
