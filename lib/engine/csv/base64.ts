const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NO_DIGIT = 255;

/** Character code → six bits; 255 for every character that is no digit of base64. */
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (let i = 0; i < ALPHABET.length; i++) DIGITS[ALPHABET.charCodeAt(i)] = i;

/** Why a text is no base64, and at which character (from 0). */
export type Base64Fault = { message: string; position: number };

export type Base64Result = { bytes: Uint8Array; fault: null } | { bytes: null; fault: Base64Fault };

/** Characters that are decoded in one go by `decodeBase64`. */
const PIECE = 65_536;
const PAD = 61;

/**
 * Strict base64 (RFC 4648, section 4): the standard alphabet, padded, no white space, and no bits set that the
 * padding leaves over. So each sequence of bytes has exactly one text.
 */
export function decodeBase64(text: string): Base64Result {
  const decoder = new Base64Decoder();
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  const encoder = new TextEncoder();
  let length = 0;
  for (let from = 0; from < text.length && decoder.fault === null; from += PIECE) {
    const decoded = decoder.push(encoder.encode(text.slice(from, from + PIECE)));
    bytes.set(decoded, length);
    length += decoded.length;
  }
  decoder.finish();
  return decoder.fault === null
    ? { bytes: bytes.subarray(0, length), fault: null }
    : { bytes: null, fault: decoder.fault };
}

/** The same for a text that comes in pieces, as ASCII. After a fault nothing more is decoded. */
export class Base64Decoder {
  fault: Base64Fault | null = null;
  /** Characters so far, and how many of them were padding. */
  #length = 0;
  #padding = 0;
  /** Bits of digits that do not fill a byte yet. */
  #bits = 0;
  #bitCount = 0;

  /** What this piece of the text completes. */
  push(text: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4) + 1);
    let out = 0;
    let at = 0;
    while (at < text.length && this.fault === null) {
      if (this.#bitCount === 0 && this.#padding === 0) {
        // Whole groups of four: nearly all of the text.
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

  /** Says that the text is complete: see `fault`. */
  finish(): void {
    if (this.fault !== null) return;
    if (this.#length % 4 !== 0) {
      const message = "The length is no multiple of four: the text is cut off or not padded.";
      this.fault = { message, position: this.#length };
    } else if (this.#bits !== 0) {
      const message = "The last digit has bits set that stand for no byte.";
      this.fault = { message, position: this.#length - this.#padding - 1 };
    }
  }

  /** Whether there is a whole byte now. */
  #pushOne(character: number): boolean {
    const digit = DIGITS[character]!;
    if (character === PAD && this.#padding < 2) this.#padding++;
    else if (digit > 63 || this.#padding > 0) {
      // A pad before the end is no padding.
      const position = this.#length - this.#padding;
      this.fault = { message: `The character at position ${position} is no digit of base64.`, position };
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
