import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { airPassengers } from "#testing/classic-series";
import { startCombination } from "./combination.ts";
import { fitCombination } from "./fit-combination.ts";
import { findSeasons, startSeasons } from "./seasons.ts";

const week = [4, -1, -3, 0, 2, 6, -8];
const normal = (seed: number) => {
  const random = seededRandom(seed);
  return () => Array.from({ length: 12 }, () => random.next()).reduce((sum, value) => sum + value, -6);
};

describe("the seasons of a series", () => {
  test("are factors if they grow with the level, and offsets for values around 0", () => {
    expect(findSeasons(airPassengers, [12])).toMatchObject([{ kind: "multiplicative" }]);
    const noise = normal(1);
    const values = Float64Array.from({ length: 140 }, (_, i) => week[i % 7]! + 0.5 * noise());
    const [found] = findSeasons(values, [7]);
    expect(found!.kind).toBe("additive");
    found!.values.forEach((value, i) => {
      expect(Math.abs(value - week[i]!)).toBeLessThan(0.7);
    });
  });

  test("are offsets for positive values if these repeat exactly on a trend", () => {
    const values = Float64Array.from({ length: 24 }, (_, i) => [10, 50, 30, 90][i % 4]! + i / 10);
    expect(findSeasons(values, [4])).toMatchObject([{ kind: "additive" }]);
  });

  test("vanish in noise, of two cycles as of many", () => {
    for (const [length, season] of [
      [30, 12],
      [200, 7],
      [800, 364],
    ] as const) {
      const noise = normal(length);
      const values = Float64Array.from({ length }, () => 100 + 10 * noise());
      for (const { values: parts } of findSeasons(values, [season])) {
        const spread = Math.sqrt(parts.reduce((sum, part) => sum + (100 * part - 100) ** 2, 0) / season);
        expect(spread).toBeLessThan(5);
      }
    }
  });

  test("are absent without two cycles of observations", () => {
    const values = Float64Array.from({ length: 14 }, (_, i) => week[i % 7]!);
    expect(findSeasons(values, [7])).toEqual([]);
    const gaps = new Float64Array(2_000).fill(Number.NaN);
    gaps.set(Float64Array.from({ length: 40 }, (_, i) => 100 + week[i % 7]!));
    expect(findSeasons(gaps, [7, 364]).map(({ values: parts }) => parts.length)).toEqual([7]);
  });

  test("return with the value that they were removed from, at any index", () => {
    const parts = findSeasons(airPassengers, [12]);
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer(), (value, index) => {
        const { remove, restore } = startSeasons({ start: 5, parts });
        const back = restore(remove(value, index), index);
        expect(Math.abs(back - value)).toBeLessThanOrEqual(1e-9 * Math.abs(value) + 1e-300);
      }),
    );
  });
});

test("a combination continues a week within a year", () => {
  const noise = normal(3);
  const year = (i: number) => 30 * Math.sin((2 * Math.PI * i) / 364);
  const valueAt = (i: number) => 200 + 5 * week[i % 7]! + year(i);
  const values = Float64Array.from({ length: 1_100 }, (_, i) => valueAt(i) + 5 * noise());
  const fit = fitCombination(values, [7, 364], 0);
  expect(fit.seasons!.parts.map(({ values: parts }) => parts.length)).toEqual([7, 364]);
  const combination = startCombination({ ...fit, mean: 200 });
  combination.advance({ values, firstIndex: 0 }, values.length);
  const errors = combination.forecast(182).values.map((value, i) => value - valueAt(1_100 + i));
  const rmse = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
  // The year alone has a standard deviation of 21.
  expect(rmse).toBeLessThan(7);
});
