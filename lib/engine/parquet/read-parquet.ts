import { numberCell } from "#lib/engine/csv/number-text";
import type { Cell, CellBatch } from "#lib/engine/csv/options";
import { UnreadableFileError } from "#lib/engine/csv/unreadable-file";
import { quoted, writeHeader } from "#lib/engine/csv/write-csv";
import { brokenParquet } from "./broken-parquet.ts";
import { openParquet, type ParquetFile } from "./open-parquet.ts";
import { ColumnPages } from "./pages.ts";

/** Values of a batch. */
const BATCH_VALUES = 16_384;

/**
 * Reads a Parquet file as a CSV with the same cells: its header, and then batches of rows, so that everything behind it reads
 * both formats in the same way. Unpacks one page of each column at a time.
 *
 * @param bytes the whole file: its end describes its columns
 * @param onRowCount receives the number of rows, before the header
 * @throws {UnreadableFileError}
 */
export function* readParquet(
  bytes: Uint8Array,
  onRowCount: (rowCount: number) => void,
): Generator<Uint8Array | CellBatch> {
  const file = openParquet(bytes);
  onRowCount(file.rowCount);
  // The byte order mark declares UTF-8. Lines end as the fast reader of bytes expects.
  yield encoder.encode(`\ufeff${writeHeader(file.columns.map(({ name }) => name)).slice(0, -2)}\n`);
  for (const group of file.groups) {
    try {
      yield* batchesOf(bytes, file.columns, group);
    } catch (error) {
      throw error instanceof UnreadableFileError ? error : brokenParquet(error);
    }
  }
}

const encoder = new TextEncoder();

function* batchesOf(
  bytes: Uint8Array,
  columns: ParquetFile["columns"],
  { rowCount, chunks }: ParquetFile["groups"][number],
): Generator<CellBatch> {
  const pages = chunks.map((facts, index) => new ColumnPages(bytes, columns[index]!, facts));
  const most = Math.max(1, Math.floor(BATCH_VALUES / Math.max(1, columns.length)));
  for (let row = 0; row < rowCount; ) {
    let count = Math.min(most, rowCount - row);
    for (const column of pages) count = Math.min(count, column.ready);
    const cells = pages.map((column) => column.take(count));
    yield { rowCount: count, cells, bytes: () => encoder.encode(linesOf(cells, count)) };
    row += count;
  }
}

function linesOf(cells: readonly ArrayLike<Cell>[], count: number): string {
  // Readers skip blank lines, so a single missing value is written as quotes.
  const blank = cells.length === 1 ? '""' : "";
  let text = "";
  for (let row = 0; row < count; row++) {
    for (let c = 0; c < cells.length; c++) text += (c === 0 ? "" : ",") + (cellText(cells[c]![row]) || blank);
    text += "\n";
  }
  return text;
}

function cellText(cell: Cell): string {
  if (cell === undefined) return "";
  return typeof cell === "number" ? numberCell(cell) : quoted(cell);
}
