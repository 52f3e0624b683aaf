/** Values per chunk: half a megabyte, so that a chart of a short range of a long series reads little. */
export const CHUNK_VALUES = 65_536;

/**
 * A stored piece of a series. `rowStart` counts from 0; `data` is little-endian float64, the byte order of all machines
 * that ONNX Runtime supports.
 */
export type SeriesChunk = { chunk: number; rowStart: number; rowCount: number; data: Uint8Array };

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Cuts a series that arrives in parts into chunks of `CHUNK_VALUES`. The last may be shorter; an empty series has none. */
export class ChunkCutter {
  readonly #values = new Float64Array(CHUNK_VALUES);
  #filled = 0;
  #chunk = 0;

  /** Yields the chunks that the part completes. */
  *push(part: Float64Array): Generator<SeriesChunk> {
    for (let from = 0; from < part.length; ) {
      const piece = part.subarray(from, from + CHUNK_VALUES - this.#filled);
      this.#values.set(piece, this.#filled);
      this.#filled += piece.length;
      from += piece.length;
      if (this.#filled === CHUNK_VALUES) yield this.#cut();
    }
  }

  /** Yields a chunk of the remaining values, if any. */
  *finish(): Generator<SeriesChunk> {
    if (this.#filled > 0) yield this.#cut();
  }

  #cut(): SeriesChunk {
    const chunk = this.#chunk++;
    const rowCount = this.#filled;
    this.#filled = 0;
    const data = new Uint8Array(this.#values.slice(0, rowCount).buffer);
    return { chunk, rowStart: chunk * CHUNK_VALUES, rowCount, data };
  }
}

/** Copies a chunk to its place among the values of the rows from `start`. Drops values outside that range. */
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
}

/** Returns the first and last chunk number of the rows from `from` (inclusive) to `to` (exclusive). */
export function chunksOfRows(from: number, to: number): { first: number; last: number } {
  return { first: Math.floor(from / CHUNK_VALUES), last: Math.floor(Math.max(from, to - 1) / CHUNK_VALUES) };
}
