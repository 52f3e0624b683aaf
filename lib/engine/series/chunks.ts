/** Values in one chunk: half a megabyte, so that a chart of a part of a long series reads little. */
export const CHUNK_VALUES = 65_536;

/** A piece of a series as it is stored. `rowStart` counts from 0; `data` is little-endian float64. */
export type SeriesChunk = { chunk: number; rowStart: number; rowCount: number; data: Uint8Array };

const BYTES = Float64Array.BYTES_PER_ELEMENT;
const LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Cuts a series into chunks of `CHUNK_VALUES`; the last may be shorter, an empty series has none. */
export function* encodeChunks(values: Float64Array): Generator<SeriesChunk> {
  for (let rowStart = 0, chunk = 0; rowStart < values.length; rowStart += CHUNK_VALUES, chunk++) {
    const part = values.subarray(rowStart, rowStart + CHUNK_VALUES);
    yield { chunk, rowStart, rowCount: part.length, data: toBytes(part) };
  }
}

/** Cuts a series that comes in parts into the chunks that `encodeChunks` cuts it into. */
export class ChunkCutter {
  readonly #values = new Float64Array(CHUNK_VALUES);
  #filled = 0;
  #chunk = 0;

  /** The chunks that the part completes. */
  *push(part: Float64Array): Generator<SeriesChunk> {
    for (let from = 0; from < part.length; ) {
      const piece = part.subarray(from, from + CHUNK_VALUES - this.#filled);
      this.#values.set(piece, this.#filled);
      this.#filled += piece.length;
      from += piece.length;
      if (this.#filled === CHUNK_VALUES) yield this.#cut();
    }
  }

  /** The chunk of what is left, if anything is. */
  *finish(): Generator<SeriesChunk> {
    if (this.#filled > 0) yield this.#cut();
  }

  #cut(): SeriesChunk {
    const chunk = this.#chunk++;
    const rowCount = this.#filled;
    this.#filled = 0;
    const data = toBytes(this.#values.subarray(0, rowCount));
    return { chunk, rowStart: chunk * CHUNK_VALUES, rowCount, data };
  }
}

/**
 * Joins chunks, in any order, to the series that they were cut from, bit by bit. They must follow each other
 * without a hole, but need not begin at row 0: the first value is that of the smallest `rowStart`. Throws
 * RangeError for a hole, an overlap or data of another length.
 */
export function decodeChunks(chunks: Iterable<SeriesChunk>): Float64Array {
  const ordered = [...chunks].sort((a, b) => a.rowStart - b.rowStart);
  const first = ordered[0]?.rowStart ?? 0;
  let next = first;
  for (const { rowStart, rowCount, data } of ordered) {
    if (rowStart !== next)
      throw new RangeError(`Expected the chunk of row ${next}, found that of row ${rowStart}`);
    if (data.length !== rowCount * BYTES)
      throw new RangeError(`The chunk of row ${rowStart} has ${data.length} bytes`);
    next += rowCount;
  }
  const values = new Float64Array(next - first);
  const bytes = new Uint8Array(values.buffer);
  for (const { rowStart, data } of ordered) bytes.set(data, (rowStart - first) * BYTES);
  if (!LITTLE_ENDIAN) reverseEach(bytes);
  return values;
}

/** Puts a chunk in its place among the values of the rows from `start` on; what lies outside of them is left out. */
export function placeChunk(
  values: Float64Array,
  start: number,
  { rowStart, rowCount, data }: SeriesChunk,
): void {
  const from = Math.max(start, rowStart);
  const to = Math.min(start + values.length, rowStart + rowCount);
  if (from >= to) return;
  const bytes = new Uint8Array(
    values.buffer,
    values.byteOffset + (from - start) * BYTES,
    (to - from) * BYTES,
  );
  bytes.set(data.subarray((from - rowStart) * BYTES, (to - rowStart) * BYTES));
  if (!LITTLE_ENDIAN) reverseEach(bytes);
}

/** The numbers of the first and the last chunk that hold the rows from `from` up to, not including, `to`. */
export function chunksOfRows(from: number, to: number): { first: number; last: number } {
  return { first: Math.floor(from / CHUNK_VALUES), last: Math.floor(Math.max(from, to - 1) / CHUNK_VALUES) };
}

function toBytes(values: Float64Array): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength).slice();
  if (!LITTLE_ENDIAN) reverseEach(bytes);
  return bytes;
}

function reverseEach(bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += BYTES) bytes.subarray(from, from + BYTES).reverse();
}
