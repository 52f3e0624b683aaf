import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { downsampleShared } from "./downsample.ts";

const value = fc.oneof(
  { weight: 6, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);
const seriesOf = (length: number) =>
  fc.array(value, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values));
const series = fc.integer({ min: 0, max: 120 }).chain(seriesOf);
const present = (values: Float64Array) => [...values].filter((one) => !Number.isNaN(one));
// Adding 0 makes -0 equal to 0.
const least = (values: readonly number[]) => Math.min(...values) + 0;
const greatest = (values: readonly number[]) => Math.max(...values) + 0;
const at = (values: Float64Array, rows: Int32Array) => Float64Array.from(rows, (row) => values[row]!);

const downsample = (y: Float64Array, maxPoints: number) => downsampleShared([y], maxPoints);

describe("a single series", () => {
  it("returns at most maxPoints ascending rows, with both extremes, and from 4 points the first and the last", () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 2, max: 60 }), (y, maxPoints) => {
        const rows = downsample(y, maxPoints);
        expect(rows.length).toBeLessThanOrEqual(maxPoints);
        expect([...rows]).toEqual([...new Set(rows)].sort((a, b) => a - b));
        if (y.length === 0) return;
        if (maxPoints >= 4) {
          expect(rows[0]).toBe(0);
          expect(rows.at(-1)).toBe(y.length - 1);
        }
        const kept = present(at(y, rows));
        const all = present(y);
        expect(least(kept)).toBe(least(all));
        expect(greatest(kept)).toBe(greatest(all));
      }),
      { numRuns: 500 },
    );
  });

  it("keeps all rows up to maxPoints", () => {
    fc.assert(
      fc.property(series, (y) => {
        expect([...downsample(y, Math.max(2, y.length))]).toEqual([...y.keys()]);
      }),
    );
  });

  it("keeps a gap between two lines", () => {
    for (let from = 1; from < 900; from += 97) {
      const y = Float64Array.from({ length: 1000 }, (_, row) =>
        row >= from && row < from + 20 ? Number.NaN : Math.sin(row),
      );
      const kept = at(y, downsample(y, 100));
      const firstGap = kept.findIndex((one) => Number.isNaN(one));
      expect(firstGap).toBeGreaterThan(0);
      expect(present(kept.slice(firstGap)).length).toBeGreaterThan(0);
    }
  });

  it("returns both extremes for two points, and also the first or the last row for three", () => {
    const y = Float64Array.from([3, 5, 9, 1, 4]);
    expect([...downsample(y, 2)]).toEqual([2, 3]);
    expect([...downsample(y, 3)]).toEqual([0, 2, 3]);
    expect([...downsample(Float64Array.from([1, 5, 9, 2, 3]), 3)]).toEqual([0, 2, 4]);
  });
});

describe("downsampleShared", () => {
  it("keeps the extremes of every series if they fit", () => {
    const several = fc
      .tuple(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 1, max: 5 }))
      .chain(([length, count]) => fc.array(seriesOf(length), { minLength: count, maxLength: count }));
    fc.assert(
      fc.property(several, fc.integer({ min: 0, max: 60 }), (all, extra) => {
        const maxPoints = 2 + 3 * all.length + extra;
        const rows = downsampleShared(all, maxPoints);
        expect(rows.length).toBeLessThanOrEqual(maxPoints);
        for (const one of all) {
          expect(greatest(present(at(one, rows)))).toBe(greatest(present(one)));
          expect(least(present(at(one, rows)))).toBe(least(present(one)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("stays within any maxPoints, with the extremes of the first series, then the first and the last row", () => {
    fc.assert(
      fc.property(
        fc.array(seriesOf(60), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 2, max: 70 }),
        (all, maxPoints) => {
          const rows = downsampleShared(all, maxPoints);
          expect(rows.length).toBeLessThanOrEqual(maxPoints);
          const kept = present(at(all[0]!, rows));
          expect(least(kept)).toBe(least(present(all[0]!)));
          expect(greatest(kept)).toBe(greatest(present(all[0]!)));
          if (maxPoints < 4) return;
          expect(rows[0]).toBe(0);
          expect(rows.at(-1)).toBe(59);
        },
      ),
    );
  });

  it("uses nearly all points for series that move together", () => {
    const base = Float64Array.from({ length: 10_000 }, (_, row) => Math.sin(row / 7) + Math.sin(row / 900));
    const all = Array.from({ length: 10 }, (_, index) => base.map((one) => one * (1 + index / 10)));
    expect(downsampleShared(all, 1000).length).toBeGreaterThan(900);
  });
});
