/** A base64 validation error and the position (from 0) of the wrong character. */
type Base64Issue = { message: string; position: number };

type Base64Result = { bytes: Uint8Array; issue: null } | { bytes: null; issue: Base64Issue };

/**
 * Decodes strict base64 (RFC 4648, section 4): standard alphabet, padding required, no white space, and unused bits
 * zero. Each byte sequence therefore has exactly one valid text.
 */
export function decodeBase64(text: string): Base64Result {
  const decoder = new Base64Decoder();
  const bytes = Buffer.concat([decoder.push(Buffer.from(text)), decoder.finish()]);
  return decoder.issue === null ? { bytes, issue: null } : { bytes: null, issue: decoder.issue };
}

/** Decodes base64 that arrives in chunks of ASCII. Stops at the first validation error. */
export class Base64Decoder {
  issue: Base64Issue | null = null;
  /** Position of `#rest` in the text. */
  #position = 0;
  /** Last characters: an incomplete group of four, or one with padding, which only the end of the text may have. */
  #rest = "";

  /** Returns the bytes that this chunk completes. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.issue !== null) return new Uint8Array(0);
    const text = this.#rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1");
    const foreign = text.search(/[^A-Za-z0-9+/]/);
    if (foreign >= 0 && !/^={1,2}$/.test(text.slice(foreign))) {
      const position = this.#position + foreign;
      this.issue = { message: `The character at position ${position} is not a base64 character.`, position };
    }
    const digits = foreign < 0 ? text.length : foreign;
    const whole = digits - (digits % 4);
    this.#position += whole;
    this.#rest = text.slice(whole);
    return Buffer.from(text.slice(0, whole), "base64");
  }

  /** Ends the text. Returns the last bytes, and sets `issue` if the text is incomplete. */
  finish(): Uint8Array {
    const rest = this.#rest;
    const bytes = Buffer.from(rest, "base64");
    const length = this.#position + rest.length;
    if (length % 4 !== 0) {
      const message = "The length is not a multiple of four. The text is cut off or lacks padding.";
      this.issue ??= { message, position: length };
    } else if (bytes.toString("base64") !== rest) {
      const message = "The last character has non-zero bits beyond the last byte.";
      this.issue ??= { message, position: this.#position + rest.indexOf("=") - 1 };
    }
    return bytes;
  }
}
