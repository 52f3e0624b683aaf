import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align, alignedValues, gather } from "./align.ts";

const times = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 25 });
const timed = (list: number[]) => ({ rowCount: list.length, timestamps: Float64Array.from(list) });

describe("align by time", () => {
  it("has every time once, in ascending order, and each series at its own times", () => {
    const unique = times.map((list) => [...new Set(list)]);
    fc.assert(
      fc.property(fc.array(unique, { minLength: 2, maxLength: 6 }), (lists) => {
        const { timestamps, rowOf, length } = align(lists.map(timed));
        const union = [...new Set(lists.flat())].sort((a, b) => a - b);
        expect([...timestamps!]).toEqual(union);
        expect(length).toBe(union.length);
        lists.forEach((list, index) => {
          const own = gather(Float64Array.from(list), rowOf[index]!);
          expect([...own]).toEqual(union.map((time) => (list.includes(time) ? time : Number.NaN)));
        });
      }),
    );
  });

  it("has the common times if all are equal, sorted or not", () => {
    const { timestamps, rowOf } = align([timed([3, 1, 2]), timed([3, 1, 2])]);
    expect([...timestamps!]).toEqual([1, 2, 3]);
    expect(rowOf.map((rows) => [...rows])).toEqual([
      [1, 2, 0],
      [1, 2, 0],
    ]);
    expect(align([])).toEqual({ timestamps: new Float64Array(0), length: 0, rowOf: [], isPlain: true });
  });

  it("keeps every row if times repeat", () => {
    fc.assert(
      fc.property(fc.array(times, { minLength: 1, maxLength: 4 }), (lists) => {
        const { rowOf } = align(lists.map(timed));
        lists.forEach((list, index) => {
          const rows = [...rowOf[index]!].filter((row) => row !== -1).sort((a, b) => a - b);
          expect(rows).toEqual([...list.keys()]);
        });
      }),
    );
  });

  it("is plain if row i is at point i, and returns the same values either way", () => {
    const one = fc.oneof(
      times,
      fc.uniqueArray(fc.integer({ min: 0, max: 9 })).map((list) => list.sort()),
    );
    const others = fc.oneof(fc.constant(null), one);
    fc.assert(
      fc.property(one, others, fc.nat(5), fc.nat(30), (list, other, from, to) => {
        const lists = [list, other ?? list];
        const alignment = align(lists.map(timed));
        const { rowOf, isPlain, length } = alignment;
        const isOwn = (rows: Int32Array) => rows.every((row, point) => row === point);
        const hasAll = (rows: Int32Array, index: number) => rows.length === lists[index]!.length;
        expect(isPlain).toBe(rowOf.every(isOwn) && rowOf.every(hasAll));
        const [start, end] = [Math.min(from, length), Math.max(Math.min(from, length), Math.min(to, length))];
        lists.forEach((values, index) => {
          const own = Float64Array.from(values, (value) => value / 3);
          expect(alignedValues(alignment, index, own, { start, end })).toEqual(
            gather(own, rowOf[index]!).slice(start, end),
          );
        });
      }),
    );
  });

  it("drops rows without a time", () => {
    const { timestamps, rowOf } = align([timed([3, Number.NaN, 1]), timed([Number.NaN, 2, 3])]);
    expect([...timestamps!]).toEqual([1, 2, 3]);
    expect(rowOf.map((rows) => [...rows])).toEqual([
      [2, -1, 0],
      [-1, 1, 2],
    ]);
  });
});

describe("align by row", () => {
  it("spans the longest series, and applies if any series has no times", () => {
    const { timestamps, length, rowOf } = align([timed([5, 6]), { rowCount: 3, timestamps: null }]);
    expect(timestamps).toBeNull();
    expect(length).toBe(3);
    expect(rowOf.map((rows) => [...rows])).toEqual([
      [0, 1, -1],
      [0, 1, 2],
    ]);
  });
});
