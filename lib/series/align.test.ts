import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align, gather } from "./align.ts";

const times = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 25 });
const timed = (list: number[]) => ({ rowCount: list.length, timestamps: Float64Array.from(list) });

describe("align by time", () => {
  it("has every time of every series once, ascending, and each series at its own times", () => {
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

  it("of equal times, sorted or not, is those times", () => {
    const { timestamps, rowOf } = align([timed([3, 1, 2]), timed([3, 1, 2])]);
    expect([...timestamps!]).toEqual([1, 2, 3]);
    expect(rowOf.map((rows) => [...rows])).toEqual([
      [1, 2, 0],
      [1, 2, 0],
    ]);
    expect(align([])).toEqual({ timestamps: new Float64Array(0), length: 0, rowOf: [] });
  });

  it("loses no row, also where a time occurs several times", () => {
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

  it("leaves out rows without a time", () => {
    const { timestamps, rowOf } = align([timed([3, Number.NaN, 1]), timed([Number.NaN, 2, 3])]);
    expect([...timestamps!]).toEqual([1, 2, 3]);
    expect(rowOf.map((rows) => [...rows])).toEqual([
      [2, -1, 0],
      [-1, 1, 2],
    ]);
  });
});

describe("align by row", () => {
  it("goes to the longest series, and is taken when any series has no times", () => {
    const { timestamps, length, rowOf } = align([timed([5, 6]), { rowCount: 3, timestamps: null }]);
    expect(timestamps).toBeNull();
    expect(length).toBe(3);
    expect(rowOf.map((rows) => [...rows])).toEqual([
      [0, 1, -1],
      [0, 1, 2],
    ]);
  });
});
