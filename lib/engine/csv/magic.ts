import type { IssueCode } from "./issues.ts";

/**
 * A format that users upload in place of CSV: its first bytes (null matches any byte), its code, and the advice.
 * A short readable text is no proof: a column may be named `PAR1`.
 */
type Magic = { bytes: (number | null)[]; code: IssueCode; message: string };

const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

/** Message of an archive that is no workbook. */
export const NO_WORKBOOK =
  "The file is a zip archive, but no Excel workbook (.xlsx). Unpack it, or save the sheet as CSV.";

const compressed = (name: string, bytes: Magic["bytes"]): Magic => ({
  bytes,
  code: "compressed_file",
  message: `The file is ${name}-compressed. Decompress it first.`,
});
const otherFormat = (name: string, advice: string, bytes: Magic["bytes"]): Magic => ({
  bytes,
  code: "unsupported_encoding",
  message: `The file is ${name}. ${advice}.`,
});

/** The start of a Parquet file, and the field that follows. */
const PARQUET = [...ascii("PAR1"), 0x15];
export const isParquet = (head: Uint8Array): boolean => PARQUET.every((byte, index) => head[index] === byte);

const MAGIC: Magic[] = [
  compressed("gzip", [0x1f, 0x8b]),
  compressed("zstd", [0x28, 0xb5, 0x2f, 0xfd]),
  compressed("bzip2", [...ascii("BZh"), null, ...ascii("1AY&SY")]),
  compressed("xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
  compressed("7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]),
  compressed("rar", [...ascii("Rar!"), 0x1a, 0x07]),
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    code: "compressed_file",
    message: NO_WORKBOOK,
  },
  { bytes: [0x50, 0x4b, 0x05, 0x06], code: "compressed_file", message: "The file is an empty zip archive." },
  otherFormat(
    "an old or encrypted Excel workbook",
    "Save it as .xlsx without a password, or as CSV",
    [0xd0, 0xcf, 0x11, 0xe0],
  ),
  otherFormat("Parquet", "Export it as CSV", PARQUET),
  otherFormat("Arrow or Feather", "Export it as CSV", [...ascii("ARROW1"), 0, 0]),
  otherFormat("an SQLite database", "Export the table as CSV", [...ascii("SQLite format 3"), 0]),
  otherFormat("a PDF", "Export its table as CSV", ascii("%PDF-")),
  otherFormat("a PNG picture", "Send the numbers as CSV", [0x89, 0x50, 0x4e, 0x47]),
  otherFormat("a JPEG picture", "Send the numbers as CSV", [0xff, 0xd8, 0xff]),
];

/** Matches the start of a JSON object or array of rows. No CSV header looks like it. */
const JSON_START = /^\s*(?:\{|\[\s*[[{]?)\s*"/;

/** Enough bytes to detect the encoding and every magic number above. */
export const HEAD_BYTES = 16;

/** Returns the format that the first bytes identify, or null if they may be text. */
export function recognise(head: Uint8Array): Pick<Magic, "code" | "message"> | null {
  const magic = MAGIC.find(({ bytes }) =>
    bytes.every((byte, index) => byte === null || head[index] === byte),
  );
  if (magic !== undefined) return magic;
  const isJson = JSON_START.test(String.fromCharCode(...head.subarray(0, HEAD_BYTES)));
  return isJson ? { code: "unsupported_encoding", message: "The file is JSON. Export it as CSV." } : null;
}

const MARKUP = /^<(!doctype html|html[\s>]|\?xml\s)/i;

/** Recognizes a web page or XML by the first cell. Error and login pages are often saved under a CSV's name. */
export function recogniseText(firstCell: string): Pick<Magic, "code" | "message"> | null {
  if (!MARKUP.test(firstCell)) return null;
  const message = "The file is a web page or XML. Export the table as CSV, or sign in and download it again.";
  return { code: "unsupported_encoding", message };
}
