const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const NO_DIGIT = 255;

/** Character code → six bits; 255 for every character that is no digit of base64. */
const DIGITS = new Uint8Array(256).fill(NO_DIGIT);
for (let i = 0; i < ALPHABET.length; i++) DIGITS[ALPHABET.charCodeAt(i)] = i;

/** Why a text is no base64, and at which character (from 0). */
export type Base64Fault = { message: string; position: number };

export type Base64Result = { bytes: Uint8Array; fault: null } | { bytes: null; fault: Base64Fault };

/** Characters that are looked at in one go; a multiple of four. */
const PIECE = 65_536;

/**
 * Strict base64 (RFC 4648, section 4): the standard alphabet, padded, no white space, and no bits set that the
 * padding leaves over. So each sequence of bytes has exactly one text.
 */
export function decodeBase64(text: string): Base64Result {
  const { length } = text;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const digits = length - padding;
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  // Text as bytes: reading a typed array is several times as fast as asking the text for each character.
  const piece = new Uint8Array(PIECE * 3);
  let out = 0;
  for (let from = 0; from < digits; from += PIECE) {
    const part = text.slice(from, Math.min(digits, from + PIECE));
    const { written } = new TextEncoder().encodeInto(part, piece);
    if (written !== part.length) return refused(text, from);
    const whole = written - (written % 4);
    for (let i = 0; i < whole; i += 4) {
      const a = DIGITS[piece[i]!]!;
      const b = DIGITS[piece[i + 1]!]!;
      const c = DIGITS[piece[i + 2]!]!;
      const d = DIGITS[piece[i + 3]!]!;
      if ((a | b | c | d) > 63) return refused(text, from + i);
      bytes[out++] = (a << 2) | (b >> 4);
      bytes[out++] = (b << 4) | (c >> 2);
      bytes[out++] = (c << 6) | d;
    }
    for (let i = whole; i < written; i++) if (DIGITS[piece[i]!]! > 63) return refused(text, from + i);
  }
  if (length % 4 !== 0 || digits % 4 === 1) {
    return fault("The length is no multiple of four: the text is cut off or not padded.", length);
  }
  if (padding > 0) {
    const tail = digits - (digits % 4);
    const [a, b, c] = [
      digitAt(text, tail),
      digitAt(text, tail + 1),
      padding === 1 ? digitAt(text, tail + 2) : 0,
    ];
    const leftOver = padding === 2 ? b & 0b1111 : c & 0b11;
    if (leftOver !== 0) return fault("The last digit has bits set that stand for no byte.", digits - 1);
    bytes[out++] = (a << 2) | (b >> 4);
    if (padding === 1) bytes[out++] = (b << 4) | (c >> 2);
  }
  return { bytes, fault: null };
}

function digitAt(text: string, at: number): number {
  return DIGITS[text.charCodeAt(at)] ?? NO_DIGIT;
}

function refused(text: string, from: number): Base64Result {
  let position = from;
  while (digitAt(text, position) <= 63) position++;
  return fault(`The character at position ${position} is no digit of base64.`, position);
}

function fault(message: string, position: number): Base64Result {
  return { bytes: null, fault: { message, position } };
}

const CODES = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0));
const PAD = 61;

/** Bytes as base64, in the one form that `decodeBase64` takes. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let out = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const group = (bytes[i]! << 16) | ((left > 1 ? bytes[i + 1]! : 0) << 8) | (left > 2 ? bytes[i + 2]! : 0);
    text[out++] = CODES[group >> 18]!;
    text[out++] = CODES[(group >> 12) & 63]!;
    text[out++] = left > 1 ? CODES[(group >> 6) & 63]! : PAD;
    text[out++] = left > 2 ? CODES[group & 63]! : PAD;
  }
  return new TextDecoder().decode(text);
}
