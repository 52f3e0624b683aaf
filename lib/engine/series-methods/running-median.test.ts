import fc from "fast-check";
import { expect, it } from "vitest";
import { runningMedian } from "./running-median.ts";

/** Returns the median of a window by sorting it. */
function medianOf(window: readonly number[]): number {
  const known = window.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const middle = known.length >> 1;
  if (known.length === 0) return 0;
  return known.length % 2 === 1 ? known[middle]! : (known[middle - 1]! + known[middle]!) / 2;
}

it("has the median of each window, also with gaps and equal values", () => {
  const value = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double({ noNaN: true }),
    fc.constant(Number.NaN),
  );
  const series = fc
    .array(value, { minLength: 1, maxLength: 40 })
    .chain((values) => fc.tuple(fc.constant(values), fc.integer({ min: 1, max: values.length })));
  fc.assert(
    fc.property(series, ([values, width]) => {
      const wanted = Array.from({ length: values.length - width + 1 }, (_, at) =>
        medianOf(values.slice(at, at + width)),
      );
      // The sign of 0 may differ.
      const found = Array.from(runningMedian(Float64Array.from(values), width), (median) => median + 0);
      expect(found).toEqual(wanted.map((median) => median + 0));
    }),
  );
});
