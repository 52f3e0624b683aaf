import type { CategoryColumn, Table } from "#lib/contract/table";
import { decodeTable, encodeParts, joined } from "./codec.ts";
import { sliceRows } from "./rows.ts";

/**
 * Rows that never lie in memory all at once: tables of the same columns below each other, each as `encodeTable` has it
 * behind "MPB1", its length, the count of its rows and 0 (each uint32, little-endian).
 */
const MAGIC = 0x3142504d; // "MPB1", read as a little-endian uint32
const FRAME_BYTES = 16;

/** Rows of a block, of which most have one or two megabytes. */
export const BLOCK_ROWS = 16_384;
/** Of more than 64 columns a block has fewer rows: eight megabytes. */
export const BLOCK_VALUES = 1 << 20;

/** How much of a file a block takes: its rows and, with what stands before them, bytes. */
export type BlockPlace = { rows: number; bytes: number };

/** How many rows a block of so many columns has at most. */
export function rowsOfBlock(columns: number): number {
  return Math.max(1, Math.min(BLOCK_ROWS, Math.floor(BLOCK_VALUES / Math.max(1, columns))));
}

/** A table as blocks; each has the categories of its own rows. */
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

/** The categories that occur, in their order. */
function ownCategories({ name, type, codes, categories }: CategoryColumn): CategoryColumn {
  const present = Int32Array.from(new Set(codes))
    .filter((code) => code >= 0)
    .sort();
  const place = new Map(Array.from(present, (code, at) => [code, at]));
  return {
    ...{ name, type },
    codes: codes.map((code) => place.get(code) ?? -1),
    categories: Array.from(present, (code) => categories[code]!),
  };
}

/** A block of rows, to be written behind the others; in pieces as `encodeParts` has them. */
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

/** The blocks of what `encodeBlock` wrote, or the one table of `encodeTable`, as the bytes come in. */
export async function* decodeBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Table> {
  for await (const { table } of placedBlocks(chunks)) yield table;
}

/** The same with the place that each takes. */
export async function* placedBlocks(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ table: Table; place: BlockPlace }> {
  await using source = new ByteSource(chunks);
  const frame = await source.take(FRAME_BYTES);
  if (!isFramed(frame)) {
    const bytes = await source.rest(frame);
    const table = decodeTable(bytes);
    yield { table, place: { rows: table.rowCount, bytes: bytes.length } };
    return;
  }
  for (let next = frame; next.length > 0; next = await source.take(FRAME_BYTES)) {
    const { length } = frameOf(next);
    const bytes = await source.take(length);
    if (bytes.length < length) throw new RangeError("The rows are cut off.");
    const table = decodeTable(bytes);
    yield { table, place: { rows: table.rowCount, bytes: FRAME_BYTES + length } };
  }
}

function isFramed(bytes: Uint8Array): boolean {
  return bytes.length >= FRAME_BYTES && viewOf(bytes).getUint32(0, true) === MAGIC;
}

function frameOf(bytes: Uint8Array): { length: number; rowCount: number } {
  if (!isFramed(bytes)) throw new RangeError("The rows are cut off, or something else follows them.");
  const view = viewOf(bytes);
  return { length: view.getUint32(4, true), rowCount: view.getUint32(8, true) };
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

class ByteSource implements AsyncDisposable {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);
  #taken: Uint8Array = new Uint8Array(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** So many bytes, fewer at the end; there until the next ones are taken. */
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

  /** All bytes, behind those that were taken before. */
  async rest(before: Uint8Array): Promise<Uint8Array> {
    const pieces = [before];
    for (; await this.#fill(); this.#held = new Uint8Array(0)) pieces.push(this.#held);
    return joined(pieces);
  }

  /** Whoever stops in the midst of a file leaves none open. */
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
