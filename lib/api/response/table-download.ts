import type { ApiRequest } from "#lib/api/api-request";
import { PARQUET_TYPE } from "#lib/contract/reading";
import type { Table } from "#lib/contract/table";
import { writeCsv } from "#lib/engine/csv/write-csv";
import { writeParquet } from "#lib/engine/parquet/write-parquet";
import { streamPieces } from "./stream-pieces.ts";

/** Parts of a table in row order, each with all columns. The first one names the columns and may have no rows. */
export type TableParts = Generator<Table> | AsyncGenerator<Table>;

type TableFormat = {
  /** With the character set, if the format is text. */
  contentType: string;
  extension: string;
  /**
   * Writes columns of all types of `Table`, with their missing values. The first part may have no rows. Yields often, because a
   * download must not block other requests.
   */
  write(parts: TableParts): AsyncGenerator<string | Uint8Array>;
};

/** Formats of tables by media type in lower case. The earlier one is chosen if a client weights two equally. */
const tableFormats = {
  "text/csv": { contentType: "text/csv; charset=utf-8", extension: "csv", write: writeCsv },
  [PARQUET_TYPE]: { contentType: PARQUET_TYPE, extension: "parquet", write: writeParquet },
} satisfies Record<string, TableFormat>;

type TableType = keyof typeof tableFormats;
const tableTypes = Object.keys(tableFormats) as TableType[];

/** Declares the responses of an operation that returns a table: one for each format. */
export const tableResponses = (description: string): Record<string, { description: string }> =>
  Object.fromEntries(tableTypes.map((type) => [type, { description }]));

/**
 * Returns the format that the client names with a higher weight than JSON (RFC 9110, 12.5.1); null if it names none, or
 * only by a wildcard.
 */
export function wantedTable(request: ApiRequest): TableType | null {
  const accept = (request.headers.get("accept") ?? "").toLowerCase();
  const ranges = accept.split(",").map((range) => range.split(";").map((part) => part.trim()));
  const weightOf = (type: string) => {
    const range = ranges.find(([name]) => name === type);
    return range ? Number(range.find((part) => part.startsWith("q="))?.slice(2) ?? 1) : 0;
  };
  let best: TableType | null = null;
  let weight = weightOf("application/json");
  for (const type of tableTypes) {
    if (!(weightOf(type) > weight)) continue;
    best = type;
    weight = weightOf(type);
  }
  return best;
}

/**
 * Streams a table as a download, as `streamPieces` does.
 *
 * @throws the error of the first piece, while the response can still report it
 */
export async function tableDownload(type: TableType, title: string, parts: TableParts): Promise<Response> {
  const { contentType, extension, write } = tableFormats[type];
  const pieces: AsyncGenerator<string | Uint8Array> = write(parts);
  return new Response(streamPieces(pieces, await pieces.next()), {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": contentDisposition(title, extension),
      "Cache-Control": "no-store",
    },
  });
}

/**
 * Characters that a file name must not have: control characters, path separators, and marks that change the text
 * direction.
 */
const UNFIT = /[\p{Cc}\p{Bidi_Control}\u2028\u2029"\\/:*?<>|]+/gu;
/** File systems allow 255 bytes, including the extension and the suffix that a browser adds to duplicate names. */
const NAME_BYTES = 240;

/** Returns a header with two names (RFC 6266): one in ASCII, and the real one. The title is text, never a path. */
export function contentDisposition(title: string, extension: string): string {
  const base = title
    .toWellFormed()
    .replace(UNFIT, "_")
    .replace(/^[\s.]+/, "");
  const name = `${cutToBytes(base, NAME_BYTES).trim() || "predictions"}.${extension}`;
  const plain = name.replace(/[^\x20-\x7e]|%/g, "_");
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(name)}`;
}

function cutToBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

/** Escapes the characters that encodeURIComponent leaves and the header's grammar does not allow (RFC 8187). */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
