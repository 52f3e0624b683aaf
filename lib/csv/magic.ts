import type { FaultCode } from "#lib/engine/csv/issues";

/**
 * What is uploaded in place of a CSV: its first bytes (null: any byte), what it is, and what to do about it. Text
 * alone is no proof: a column may well be called `PAR1`.
 */
type Magic = { bytes: (number | null)[]; code: FaultCode; message: string };

const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

const packed = (name: string, bytes: Magic["bytes"]): Magic => ({
  bytes,
  code: "compressed_file",
  message: `The file is ${name}-compressed: unpack it first.`,
});
const foreign = (what: string, todo: string, bytes: Magic["bytes"]): Magic => ({
  bytes,
  code: "unsupported_encoding",
  message: `The file is ${what}: ${todo}.`,
});

const MAGIC: Magic[] = [
  packed("gzip", [0x1f, 0x8b]),
  packed("zstd", [0x28, 0xb5, 0x2f, 0xfd]),
  packed("bzip2", [...ascii("BZh"), null, ...ascii("1AY&SY")]),
  packed("xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
  packed("7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
  packed("rar", [...ascii("Rar!"), 0x1a, 0x07]),
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    code: "compressed_file",
    message: "The file is a zip archive or an Excel workbook: unpack it, or save the sheet as CSV.",
  },
  { bytes: [0x50, 0x4b, 0x05, 0x06], code: "compressed_file", message: "The file is an empty zip archive." },
  foreign("an old Excel workbook (.xls)", "save the sheet as CSV", [0xd0, 0xcf, 0x11, 0xe0]),
  foreign("Parquet", "export it as CSV", [...ascii("PAR1"), 0x15]),
  foreign("Arrow or Feather", "export it as CSV", [...ascii("ARROW1"), 0, 0]),
  foreign("an SQLite database", "export the table as CSV", [...ascii("SQLite format 3"), 0]),
  foreign("a PDF", "export the table that it shows as CSV", ascii("%PDF-")),
  foreign("a PNG picture", "send the numbers themselves as CSV", [0x89, 0x50, 0x4e, 0x47]),
  foreign("a JPEG picture", "send the numbers themselves as CSV", [0xff, 0xd8, 0xff]),
];

/** The beginning of an object or of an array of rows; no CSV has a header like it. */
const JSON_START = /^\s*(?:\{|\[\s*[[{]?)\s*"/;

/** So many bytes tell the encoding and every magic number above. */
export const HEAD_BYTES = 16;

/** What the first bytes of a file betray it to be, or null for what may be text. */
export function recognise(head: Uint8Array): Pick<Magic, "code" | "message"> | null {
  const magic = MAGIC.find(({ bytes }) =>
    bytes.every((byte, index) => byte === null || head[index] === byte),
  );
  if (magic !== undefined) return magic;
  const isJson = JSON_START.test(String.fromCharCode(...head.subarray(0, HEAD_BYTES)));
  return isJson ? { code: "unsupported_encoding", message: "The file is JSON: export it as CSV." } : null;
}

const MARKUP = /^<(!doctype html|html[\s>]|\?xml\s)/i;

/** What the first cell of a text betrays it to be: pages of errors and logins are downloaded under a CSV's name. */
export function recogniseText(firstCell: string): Pick<Magic, "code" | "message"> | null {
  if (!MARKUP.test(firstCell)) return null;
  const message =
    "The file is a web page or XML: export the table as CSV, or download it again once signed in.";
  return { code: "unsupported_encoding", message };
}
