import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "./align.ts";
import { cutAxis } from "./cut-axis.ts";
import { rowsBetween } from "./window.ts";

const time = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);
const inAnyOrder = fc.array(time, { maxLength: 25 });
const inOrder = fc
  .array(fc.integer({ min: 0, max: 30 }), { maxLength: 25 })
  .map((list) => list.toSorted((a, b) => a - b));
/** Some of the times are equal to another series', and some are the same array. */
const timed = fc
  .tuple(fc.array(fc.oneof(inOrder, inAnyOrder), { minLength: 1, maxLength: 4 }), fc.array(fc.nat(3)))
  .map(([lists, again]) => {
    const all = lists.map((list) => Float64Array.from(list));
    return [...all, ...again.slice(0, 3).map((index) => all[index % all.length]!)].map((timestamps) => ({
      rowCount: timestamps.length,
      timestamps,
    }));
  });
const untimed = fc
  .array(fc.nat(25), { minLength: 1, maxLength: 4 })
  .map((counts) => counts.map((rowCount) => ({ rowCount, timestamps: null })));
const end = fc.option(fc.integer({ min: -2, max: 32 }), { nil: undefined });

describe("an axis cut into stretches", () => {
  it("equals the axis of all rows, with the same row of each series at each point", () => {
    fc.assert(
      fc.property(
        fc.oneof(timed, untimed),
        end,
        end,
        fc.integer({ min: 1, max: 9 }),
        (series, from, to, points) => {
          const whole = align(series);
          const { start, end } = rowsBetween(whole.timestamps, whole.length, from, to);
          const window = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
          const { isTimed, orderOf, orders, cuts } = cutAxis(series, window, points);
          expect(isTimed).toBe(whole.timestamps !== null);
          const times: number[] = [];
          const rowOf = series.map((): number[] => []);
          cuts.slice(1).forEach((ends, at) => {
            const rows = orderOf.map((index) => {
              const [from, to] = [cuts[at]![index]!, ends[index]!];
              return (
                orders[index]?.subarray(from, to) ??
                Int32Array.from({ length: to - from }, (_, i) => from + i)
              );
            });
            const stretch = align(
              series.map(({ timestamps }, s) => ({
                rowCount: rows[s]!.length,
                timestamps: timestamps && Float64Array.from(rows[s]!, (row) => timestamps[row]!),
              })),
            );
            expect(stretch.length).toBeGreaterThan(0);
            expect(stretch.length).toBeLessThanOrEqual(points);
            times.push(...(stretch.timestamps ?? []));
            rowOf.forEach((known, s) => {
              known.push(...Array.from(stretch.rowOf[s]!, (place) => rows[s]![place] ?? -1));
            });
          });
          expect(times).toEqual([...(whole.timestamps?.subarray(start, end) ?? [])]);
          expect(rowOf).toEqual(whole.rowOf.map((rows) => [...rows.subarray(start, end)]));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("shares one order among series with the same times, and stores none if they ascend", () => {
    const [same, other] = [Float64Array.of(1, 2, 3, 4, 5), Float64Array.of(3, 1, Number.NaN)];
    const series = [same, other, same].map((timestamps) => ({ rowCount: timestamps.length, timestamps }));
    const { orderOf, orders, cuts } = cutAxis(series, { from: 2 }, 2);
    expect([orderOf, orders]).toEqual([
      [0, 1, 0],
      [null, Int32Array.of(1, 0)],
    ]);
    expect(cuts.map((places) => [...places])).toEqual([
      [1, 1],
      [3, 2],
      [5, 2],
    ]);
  });
});
