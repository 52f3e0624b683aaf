import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";
import { writeHeader } from "#lib/engine/csv/write";
import { brokenParquet } from "./broken-parquet.ts";
import { openParquet, type ParquetFile } from "./open-parquet.ts";
import { ColumnPages } from "./pages.ts";

/** Values that are written at a time. */
const VALUES_A_PIECE = 16_384;

/**
 * Reads a Parquet file as the bytes of a CSV with the same cells, so that everything behind it reads both formats in the
 * same way. Unpacks one page of each column at a time.
 *
 * @param bytes the whole file: its end describes its columns
 * @param onRowCount receives the number of rows, before the first bytes
 * @throws {UnreadableFileError}
 */
export function* readParquet(
  bytes: Uint8Array,
  onRowCount: (rowCount: number) => void,
): Generator<Uint8Array> {
  const file = openParquet(bytes);
  onRowCount(file.rowCount);
  const encoder = new TextEncoder();
  // The byte order mark declares UTF-8. Lines end as the fast reader of bytes expects.
  yield encoder.encode(`\ufeff${writeHeader(file.columns.map(({ name }) => name)).slice(0, -2)}\n`);
  for (const group of file.groups) {
    try {
      for (const text of textsOf(bytes, file.columns, group)) yield encoder.encode(text);
    } catch (error) {
      throw error instanceof UnreadableFileError ? error : brokenParquet(error);
    }
  }
}

function* textsOf(
  bytes: Uint8Array,
  columns: ParquetFile["columns"],
  { rowCount, chunks }: ParquetFile["groups"][number],
): Generator<string> {
  const pages = chunks.map((facts, index) => new ColumnPages(bytes, columns[index]!, facts));
  // Readers skip blank lines, so a single missing value is written as quotes.
  const blank = columns.length === 1 ? '""' : "";
  const most = Math.max(1, Math.floor(VALUES_A_PIECE / Math.max(1, columns.length)));
  for (let row = 0; row < rowCount; ) {
    let count = Math.min(most, rowCount - row);
    for (const column of pages) count = Math.min(count, column.ready);
    let text = "";
    for (let at = 0; at < count; at++) {
      for (let c = 0; c < pages.length; c++) text += (c === 0 ? "" : ",") + (pages[c]!.take() || blank);
      text += "\n";
    }
    yield text;
    row += count;
  }
}
