import fc from "fast-check";
import { expect, test } from "vitest";
import { slopeOf } from "./slope.ts";

test("the slope of a line is exact beside a season that occurs twice", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100, max: 100 }),
      fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 0, max: 100 }),
      (slope, season, more) => {
        const values = Float64Array.from(
          { length: 2 * season.length + more },
          (_, at) => slope * at + season[at % season.length]!,
        );
        expect(slopeOf(values, season.length)).toBeCloseTo(slope, 6);
      },
    ),
  );
});

test("gaps do not count, and too few observations have no slope", () => {
  expect(slopeOf(Float64Array.of(1, 2, Number.NaN, 3, Number.NaN, 2, 3), 1)).toBeCloseTo(1 / 4);
  for (const few of [[], [1], [Number.NaN, Number.NaN, 1], [Number.NaN, Number.NaN, Number.NaN]])
    expect(slopeOf(Float64Array.from(few), 1)).toBe(0);
});
