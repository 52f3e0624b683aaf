import { expect, test } from "vitest";
import { fitTsb, isIntermittent, tsbFilter } from "./tsb.ts";

/** A demand of 5 every fourth period, by chance that is the same in each run. */
const demand = Float64Array.from({ length: 400 }, (_, i) =>
  (i * 7919) % 100 < 25 ? 5 + ((i * 31) % 3) - 1 : 0,
);

test("counts a series with many zeros as intermittent, but none with negative values", () => {
  expect(isIntermittent(demand)).toBe(true);
  expect(isIntermittent(demand.map((value) => value + 1))).toBe(false);
  expect(isIntermittent(demand.map((value, i) => (i === 9 ? -1 : value)))).toBe(false);
  expect(fitTsb(Float64Array.of(1, 2, 3, 4))).toBeNull();
});

test("forecasts the mean demand, not the size of one", () => {
  const filter = tsbFilter(fitTsb(demand)!);
  for (const value of demand) filter.update(value);
  const mean = demand.reduce((sum, value) => sum + value, 0) / demand.length;
  expect(Math.abs(filter.forecast(3).values[2]! - mean)).toBeLessThan(0.5 * mean);
});

test("falls towards 0 when demand stops", () => {
  const filter = tsbFilter(fitTsb(demand)!);
  for (const value of demand) filter.update(value);
  const before = filter.forecast(1).values[0]!;
  for (let i = 0; i < 200; i++) filter.update(0);
  expect(filter.forecast(1).values[0]!).toBeLessThan(before / 2);
});
