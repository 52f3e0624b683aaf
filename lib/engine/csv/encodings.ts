import type { CsvWarning } from "./issues.ts";

/** Name of an encoding as `TextDecoder` states it, such as `windows-1252`. */
export type Encoding = string;

/** Bytes from the start of a file that decide its encoding. */
export const SAMPLE_BYTES = 1 << 20;

/** Encodings that are offered for files that are not UTF-8. */
const OFFERED_ENCODINGS = ["windows-1252", "shift_jis", "windows-1250", "windows-1251", "gb18030"];

/** Returns the name of an encoding that `TextDecoder` knows, or null. */
export function encodingNamed(label: string): Encoding | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** Returns whether bytes are text in an encoding. The last character may be cut off. */
function isIn(encoding: Encoding, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns whether the first bytes of a further file are UTF-8, although the dataset has another encoding. Characters beyond
 * ASCII show it, because texts in other encodings are hardly ever valid UTF-8. UTF-16 shows itself by its zero bytes.
 */
export function isUtf8BesideStored(sample: Uint8Array, stored: Encoding): boolean {
  const isOther = stored.startsWith("utf-16") ? !sample.includes(0) : sample.some((byte) => byte >= 0x80);
  return isOther && isIn("utf-8", sample);
}

const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff\uff01-\uff9f\u3001-\u3002]{2,}/g;
/** Codes that Windows-1252 does not use. */
const UNUSED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const isControl = (byte: number) => byte < 9 || (byte > 13 && byte < 32) || byte === 127;
const OTHERS = /[\u0080-\uffff]/g;

/**
 * Returns the encoding of the first bytes of a file without a byte order mark. Bytes that are not UTF-8 are Shift-JIS if
 * they are mostly Japanese in it, or Windows-1252, which contains Latin-1. Broken UTF-8 and bytes that are no text stay
 * UTF-8, so that the reader names the first invalid byte.
 */
export function detectEncoding(sample: Uint8Array): Encoding {
  if (isIn("utf-8", sample)) return "utf-8";
  if (sample.some(isControl)) return "utf-8";
  if (isIn("shift_jis", sample)) {
    const text = new TextDecoder("shift_jis").decode(sample);
    // Accents of other languages are single characters among Latin letters.
    const japanese = (text.match(JAPANESE) ?? []).join("").length;
    if (japanese * 5 >= (text.match(OTHERS)?.length ?? 0) * 4) return "shift_jis";
  }
  const others = (new TextDecoder("utf-8").decode(sample).match(OTHERS) ?? []).join("");
  const isBroken = others.replaceAll("\ufffd", "").length * 2 > others.length;
  return isBroken || sample.some((byte) => UNUSED.has(byte)) ? "utf-8" : "windows-1252";
}

/**
 * Warns about an encoding other than UTF-8 that only the bytes show.
 *
 * @param others first bytes beyond ASCII
 */
export function guessedEncoding({
  encoding,
  others,
}: {
  encoding: Encoding;
  others: Uint8Array;
}): CsvWarning[] {
  if (encoding.startsWith("utf-")) return [];
  const wordIn = (name: Encoding) => new TextDecoder(name).decode(others).split(/[\s,;|"]/, 1)[0]!;
  const choices = OFFERED_ENCODINGS.filter((name) => name !== encoding).map((name) => ({
    label: name,
    options: { encoding: name },
    cells: [{ row: null, text: wordIn(encoding), reading: wordIn(name) }],
  }));
  const message = `The file is not UTF-8. It is read as ${encoding}, such as "${wordIn(encoding)}". If that is wrong, send its encoding as \`encoding\`.`;
  return [{ code: "encoding_guessed", column: null, message, choices }];
}

/** Returns the length of the complete characters. A character that is cut off at the end waits for the next chunk. */
export function completeLength(bytes: Uint8Array, encoding: Encoding): number {
  const length = bytes.length;
  if (encoding.startsWith("utf-16")) {
    const even = length - (length % 2);
    if (even < 2) return even;
    const high = encoding === "utf-16be" ? bytes[even - 2]! : bytes[even - 1]!;
    return (high & 0xfc) === 0xd8 ? even - 2 : even;
  }
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? length - back : length;
  }
  return length;
}

export function nulUtf16At(bytes: Uint8Array): number {
  for (let i = 0; i + 1 < bytes.length; i += 2) if (bytes[i] === 0 && bytes[i + 1] === 0) return i;
  return -1;
}
