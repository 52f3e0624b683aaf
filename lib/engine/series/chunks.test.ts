import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHUNK_VALUES, ChunkCutter, chunksOfRows, placeChunk, type SeriesChunk } from "./chunks.ts";

const bits = (values: Float64Array) => new BigUint64Array(values.slice().buffer);

/** Cuts a series that arrives in parts of `part` values. */
function cut(values: Float64Array, part = 10_000): SeriesChunk[] {
  const cutter = new ChunkCutter();
  const chunks: SeriesChunk[] = [];
  for (let from = 0; from < values.length; from += part) {
    chunks.push(...cutter.push(values.subarray(from, from + part)));
  }
  return [...chunks, ...cutter.finish()];
}

function placed(chunks: readonly SeriesChunk[], start: number, length: number): Float64Array {
  const values = new Float64Array(length);
  for (const chunk of chunks) placeChunk(values, start, chunk);
  return values;
}

describe("prediction chunks", () => {
  it("preserve every bit, including NaN payloads and -0, for parts of any length", () => {
    const anyBits = fc
      .bigUint64Array({ maxLength: 300 })
      .map((words) => new Float64Array(words.slice().buffer));
    fc.assert(
      fc.property(anyBits, fc.integer({ min: 1, max: 300 }), (values, part) => {
        expect(bits(placed(cut(values, part), 0, values.length))).toEqual(bits(values));
      }),
    );
  });

  it.each([0, 1, CHUNK_VALUES - 1, CHUNK_VALUES, CHUNK_VALUES + 1, 3 * CHUNK_VALUES + 7])(
    "cover %i rows without gap or overlap, in any order, from any part of a larger buffer",
    (length) => {
      const values = Float64Array.from({ length: length + 3 }, (_, index) => Math.sin(index)).subarray(3);
      const chunks = cut(values);
      expect(chunks.map(({ chunk }) => chunk)).toEqual(chunks.map((_, index) => index));
      expect(chunks.map(({ rowStart }) => rowStart)).toEqual(chunks.map((_, index) => index * CHUNK_VALUES));
      expect(chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(length);
      for (const { rowCount, data } of chunks) expect(data.length).toBe(rowCount * 8);
      expect(bits(placed(chunks.reverse(), 0, length))).toEqual(bits(values));
    },
  );

  it("are little-endian float64", () => {
    const [chunk] = cut(Float64Array.of(1.5));
    expect(new DataView(chunk!.data.buffer).getFloat64(0, true)).toBe(1.5);
  });

  it("of a range of rows can be read alone", () => {
    const values = Float64Array.from({ length: 2 * CHUNK_VALUES + 5 }, (_, index) => index);
    const [from, to] = [CHUNK_VALUES + 1, 2 * CHUNK_VALUES + 1];
    const { first, last } = chunksOfRows(from, to);
    const part = cut(values).filter(({ chunk }) => chunk >= first && chunk <= last);
    expect(part.map(({ chunk }) => chunk)).toEqual([1, 2]);
    expect(placed(part, from, to - from)).toEqual(values.slice(from, to));
    expect(chunksOfRows(0, CHUNK_VALUES)).toEqual({ first: 0, last: 0 });
  });
});
