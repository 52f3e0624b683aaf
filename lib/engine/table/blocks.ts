import type { CategoryColumn, Table } from "#lib/contract/table";
import { decodeTable, encodeParts } from "./codec.ts";
import { sliceRows } from "./rows.ts";

/**
 * Format of rows that are never all in memory: consecutive tables with the same columns. Each has a frame of "MPB1",
 * its length, its number of rows and 0 (each uint32, little-endian), followed by the bytes of `encodeTable`.
 */
const MAGIC = 0x3142504d; // "MPB1", read as a little-endian uint32
const FRAME_BYTES = 16;

/** Rows per block. Most blocks have one or two megabytes. */
export const BLOCK_ROWS = 16_384;
/** Maximum values per block, eight megabytes. Tables of more than 64 columns get fewer rows per block. */
export const BLOCK_VALUES = 1 << 20;

/** Size of a block in a file: its rows, and its bytes including the frame. */
export type BlockPlace = { rows: number; bytes: number };

/** Returns the maximum rows per block for a number of columns. */
export function rowsOfBlock(columns: number): number {
  return Math.max(1, Math.min(BLOCK_ROWS, Math.floor(BLOCK_VALUES / Math.max(1, columns))));
}

/** Splits a table into blocks. Each block lists only the categories that occur in it. */
export function* blocksOf(table: Table): Generator<Table> {
  const rows = rowsOfBlock(table.columns.length);
  if (table.rowCount <= rows) {
    yield table;
    return;
  }
  for (let from = 0; from < table.rowCount; from += rows) {
    const { rowCount, columns } = sliceRows(table, from, from + rows);
    yield {
      rowCount,
      columns: columns.map((column) => (column.type === "category" ? ownCategories(column) : column)),
    };
  }
}

/** Keeps the categories that occur, in their order. */
function ownCategories({ name, type, codes, categories }: CategoryColumn): CategoryColumn {
  const present = Int32Array.from(new Set(codes))
    .filter((code) => code >= 0)
    .sort();
  const place = new Map(Array.from(present, (code, at) => [code, at]));
  return {
    name,
    type,
    codes: codes.map((code) => place.get(code) ?? -1),
    categories: Array.from(present, (code) => categories[code]!),
  };
}

/** Encodes a block to append to a file, in pieces like `encodeParts`. */
export function encodeBlock(table: Table): Uint8Array[] {
  const parts = encodeParts(table);
  const frame = new DataView(new ArrayBuffer(FRAME_BYTES));
  frame.setUint32(0, MAGIC, true);
  frame.setUint32(
    4,
    parts.reduce((size, part) => size + part.length, 0),
    true,
  );
  frame.setUint32(8, table.rowCount, true);
  return [new Uint8Array(frame.buffer), ...parts];
}

/**
 * Decodes the blocks of `encodeBlock` while the bytes arrive.
 *
 * @throws {RangeError} if the bytes are truncated or followed by other data
 */
export async function* decodeBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Table> {
  await using source = new ByteSource(chunks);
  for (;;) {
    const frame = await source.take(FRAME_BYTES);
    if (frame.length === 0) return;
    const length = lengthIn(frame);
    const bytes = await source.take(length);
    if (bytes.length < length) throw new RangeError("The rows are truncated.");
    yield decodeTable(bytes);
  }
}

function lengthIn(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < FRAME_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new RangeError("The rows are truncated or followed by other data.");
  return view.getUint32(4, true);
}

class ByteSource implements AsyncDisposable {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);
  #taken: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns the given number of bytes, or fewer at the end. The memory is valid until the next call. */
  async take(length: number): Promise<Uint8Array> {
    if (length > this.#taken.length) this.#taken = new Uint8Array(length);
    const taken = this.#taken;
    let filled = 0;
    while (filled < length && (await this.#fill())) {
      const piece = this.#held.subarray(0, length - filled);
      taken.set(piece, filled);
      filled += piece.length;
      this.#held = this.#held.subarray(piece.length);
    }
    return taken.subarray(0, filled);
  }

  /** Closes the source, also if the reader stops early. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.();
  }

  async #fill(): Promise<boolean> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#held = value;
    }
    return true;
  }
}
