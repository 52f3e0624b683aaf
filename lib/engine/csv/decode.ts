import { completeLength, type Encoding, nulUtf16At } from "./encodings.ts";
import type { IssueCode } from "./issues.ts";
import { HEAD_BYTES, recognise } from "./magic.ts";

/** Reason why bytes are not text. `byteOffset` counts from the start of the file. */
type DecodeIssue = { code: IssueCode; message: string; byteOffset: number };

/**
 * Decodes bytes chunk by chunk: UTF-8 with or without a byte order mark, UTF-16 with one. At invalid bytes, returns
 * the text before them and sets `issue` with the reason and the position.
 */
export class TextChunkDecoder {
  issue: DecodeIssue | null = null;
  encoding: Encoding = "utf-8";
  #carry: Uint8Array = new Uint8Array(0);
  #started = false;
  /** Bytes decoded so far. The carry begins here. */
  #offset = 0;

  push(chunk: Uint8Array): string {
    if (this.issue !== null) return "";
    const bytes = this.#carry.length === 0 ? chunk : concat(this.#carry, chunk);
    if (!this.#started && bytes.length < HEAD_BYTES) {
      this.#carry = bytes.slice();
      return "";
    }
    return this.#decode(bytes, false);
  }

  finish(): string {
    if (this.issue !== null) return "";
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

  /** Advances the position by bytes that another reader consumed, so that issues name the right offset. */
  skip(bytes: number): void {
    this.#offset += bytes;
  }

  #decode(input: Uint8Array, last: boolean): string {
    const bytes = this.#started ? input : this.#start(input);
    if (this.issue !== null) return "";
    const completeBytes = last ? bytes.length : completeLength(bytes, this.encoding);
    const text = this.#decodeWhole(bytes.subarray(0, completeBytes));
    this.#offset += completeBytes;
    this.#carry = bytes.slice(completeBytes);
    return text;
  }

  /** Detects the encoding and returns the bytes after the byte order mark. */
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
      const message = `The byte at offset ${byteOffset} is not valid ${this.encoding.toUpperCase()}. Save the file as UTF-8.`;
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
