const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NO_DIGIT = 255;

/** Maps a character code to its six bits. 255 marks a character outside the base64 alphabet. */
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (let i = 0; i < ALPHABET.length; i++) DIGITS[ALPHABET.charCodeAt(i)] = i;

/** A base64 validation error and the position (from 0) of the wrong character. */
type Base64Issue = { message: string; position: number };

type Base64Result = { bytes: Uint8Array; issue: null } | { bytes: null; issue: Base64Issue };

/** Characters that `decodeBase64` decodes per step. */
const PIECE = 65_536;
const PAD = 61;

/**
 * Decodes strict base64 (RFC 4648, section 4): standard alphabet, padding required, no white space, and unused bits
 * zero. Each byte sequence therefore has exactly one valid text.
 */
export function decodeBase64(text: string): Base64Result {
  const decoder = new Base64Decoder();
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  const encoder = new TextEncoder();
  let length = 0;
  for (let from = 0; from < text.length && decoder.issue === null; from += PIECE) {
    const decoded = decoder.push(encoder.encode(text.slice(from, from + PIECE)));
    bytes.set(decoded, length);
    length += decoded.length;
  }
  decoder.finish();
  return decoder.issue === null
    ? { bytes: bytes.subarray(0, length), issue: null }
    : { bytes: null, issue: decoder.issue };
}

/** Decodes base64 that arrives in chunks of ASCII. Stops at the first validation error. */
export class Base64Decoder {
  issue: Base64Issue | null = null;
  /** Characters read so far, and the padding characters among them. */
  #length = 0;
  #padding = 0;
  /** Bits that do not fill a byte yet. */
  #bits = 0;
  #bitCount = 0;

  /** Returns the bytes that this chunk completes. */
  push(text: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4) + 1);
    let out = 0;
    let at = 0;
    while (at < text.length && this.issue === null) {
      if (this.#bitCount === 0 && this.#padding === 0) {
        // Fast path for whole groups of four, which make up nearly all of the text.
        const from = at;
        for (; at + 4 <= text.length; at += 4) {
          const a = DIGITS[text[at]!]!;
          const b = DIGITS[text[at + 1]!]!;
          const c = DIGITS[text[at + 2]!]!;
          const d = DIGITS[text[at + 3]!]!;
          if ((a | b | c | d) > 63) break;
          bytes[out++] = (a << 2) | (b >> 4);
          bytes[out++] = (b << 4) | (c >> 2);
          bytes[out++] = (c << 6) | d;
        }
        this.#length += at - from;
        if (at === text.length) break;
      }
      if (this.#pushOne(text[at++]!)) bytes[out++] = this.#takeByte();
    }
    return bytes.subarray(0, out);
  }

  /** Ends the text and sets `issue` if it is incomplete. */
  finish(): void {
    if (this.issue !== null) return;
    if (this.#length % 4 !== 0) {
      const message = "The length is not a multiple of four. The text is cut off or lacks padding.";
      this.issue = { message, position: this.#length };
    } else if (this.#bits !== 0) {
      const message = "The last character has non-zero bits beyond the last byte.";
      this.issue = { message, position: this.#length - this.#padding - 1 };
    }
  }

  /** Returns whether a complete byte is available. */
  #pushOne(character: number): boolean {
    const digit = DIGITS[character]!;
    if (character === PAD && this.#padding < 2) this.#padding++;
    else if (digit > 63 || this.#padding > 0) {
      // A `=` before the end is not padding.
      const position = this.#length - this.#padding;
      this.issue = { message: `The character at position ${position} is not a base64 character.`, position };
    } else {
      this.#bits = (this.#bits << 6) | digit;
      this.#bitCount += 6;
    }
    this.#length++;
    return this.#bitCount >= 8;
  }

  #takeByte(): number {
    this.#bitCount -= 8;
    const byte = this.#bits >> this.#bitCount;
    this.#bits &= (1 << this.#bitCount) - 1;
    return byte;
  }
}
