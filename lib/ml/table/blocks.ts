import type { Table } from "#lib/contract/table";
import { decodeTable, encodeParts, joined } from "./codec.ts";
import { joinTables } from "./concat.ts";

/**
 * Rows that never lie in memory all at once: tables of the same columns below each other, each as `encodeTable` has it
 * behind "MPB1", its length, the count of its rows and 0 (each uint32, little-endian).
 */
const MAGIC = 0x3142504d; // "MPB1", read as a little-endian uint32
const FRAME_BYTES = 16;

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

/**
 * All rows of what `encodeBlock` or `encodeTable` wrote.
 *
 * @throws {RangeError} for anything else
 */
export function decodeRows(bytes: Uint8Array): Table {
  if (!isFramed(bytes)) return decodeTable(bytes);
  const blocks: Uint8Array[] = [];
  let rowCount = 0;
  for (let at = 0; at < bytes.length; ) {
    const frame = frameOf(bytes.subarray(at));
    at += FRAME_BYTES;
    if (at + frame.length > bytes.length) throw new RangeError("The rows are cut off.");
    blocks.push(bytes.subarray(at, at + frame.length));
    at += frame.length;
    rowCount += frame.rowCount;
  }
  return joinTables(rowCount, decoded(blocks));
}

function* decoded(blocks: readonly Uint8Array[]): Generator<Table> {
  for (const block of blocks) yield decodeTable(block);
}

/** The blocks of what `encodeBlock` wrote, or the one table of `encodeTable`, as the bytes come in. */
export async function* decodeBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Table> {
  const source = new ByteSource(chunks);
  const frame = await source.take(FRAME_BYTES);
  if (!isFramed(frame)) {
    yield decodeTable(await source.rest(frame));
    return;
  }
  for (let next = frame; next.length > 0; next = await source.take(FRAME_BYTES)) {
    const { length } = frameOf(next);
    const bytes = await source.take(length);
    if (bytes.length < length) throw new RangeError("The rows are cut off.");
    yield decodeTable(bytes);
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

class ByteSource {
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

  async #fill(): Promise<boolean> {
    while (this.#held.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return false;
      this.#held = value;
    }
    return true;
  }
}
