import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHUNK_VALUES, chunksOfRows, decodeChunks, encodeChunks } from "./chunks.ts";

const bits = (values: Float64Array) => new BigUint64Array(values.slice().buffer);

describe("prediction chunks", () => {
  it("give back every bit of every value, NaN payloads and -0 included, in any order of the chunks", () => {
    const anyBits = fc
      .bigUint64Array({ maxLength: 300 })
      .map((words) => new Float64Array(words.slice().buffer));
    fc.assert(
      fc.property(anyBits, (values) => {
        const chunks = [...encodeChunks(values)].reverse();
        expect(bits(decodeChunks(chunks))).toEqual(bits(values));
      }),
    );
  });

  it.each([0, 1, CHUNK_VALUES - 1, CHUNK_VALUES, CHUNK_VALUES + 1, 3 * CHUNK_VALUES + 7])(
    "cover %i rows without hole or overlap, from any part of a larger buffer",
    (length) => {
      const values = Float64Array.from({ length: length + 3 }, (_, index) => Math.sin(index)).subarray(3);
      const chunks = [...encodeChunks(values)];
      expect(chunks.map(({ chunk }) => chunk)).toEqual(chunks.map((_, index) => index));
      expect(chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)).toBe(length);
      for (const { rowCount, data } of chunks) expect(data.length).toBe(rowCount * 8);
      expect(bits(decodeChunks(chunks))).toEqual(bits(values));
    },
  );

  it("are little-endian float64", () => {
    const [chunk] = [...encodeChunks(Float64Array.of(1.5))];
    expect(new DataView(chunk!.data.buffer).getFloat64(0, true)).toBe(1.5);
  });

  it("of a part of the rows can be read alone", () => {
    const values = Float64Array.from({ length: 2 * CHUNK_VALUES + 5 }, (_, index) => index);
    const { first, last } = chunksOfRows(CHUNK_VALUES + 1, 2 * CHUNK_VALUES + 1);
    const part = [...encodeChunks(values)].filter(({ chunk }) => chunk >= first && chunk <= last);
    expect(part.map(({ chunk }) => chunk)).toEqual([1, 2]);
    expect(decodeChunks(part)[0]).toBe(CHUNK_VALUES);
    expect(chunksOfRows(0, CHUNK_VALUES)).toEqual({ first: 0, last: 0 });
  });

  it("refuse a hole, an overlap and data of the wrong length", () => {
    const chunks = [...encodeChunks(new Float64Array(2 * CHUNK_VALUES + 1))];
    expect(() => decodeChunks([chunks[0]!, chunks[2]!])).toThrow(RangeError);
    expect(() => decodeChunks([chunks[0]!, chunks[0]!])).toThrow(RangeError);
    expect(() => decodeChunks([{ ...chunks[2]!, rowCount: 2 }])).toThrow(RangeError);
  });
});
