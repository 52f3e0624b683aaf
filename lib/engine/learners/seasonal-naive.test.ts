import { expect, test } from "vitest";
import { meanBaseline, seasonalNaive } from "./seasonal-naive.ts";

const missing = Number.NaN;

test("repeats the last season over the horizon", () => {
  const history = Float64Array.of(9, 9, 9, 1, 2, 3);
  expect(Array.from(seasonalNaive(history, 3, 7))).toEqual([1, 2, 3, 1, 2, 3, 1]);
});

test("replaces a missing value by that of the season before, else by the last known value", () => {
  const history = Float64Array.of(7, missing, 9, 1, missing, 3);
  expect(Array.from(seasonalNaive(history, 3, 3))).toEqual([1, 3, 3]);
  expect(Array.from(seasonalNaive(Float64Array.of(7, 8, 9, missing), 2, 2))).toEqual([9, 8]);
});

test("repeats the last value at unknown positions if the history is shorter than the season", () => {
  expect(Array.from(seasonalNaive(Float64Array.of(4, 5), 4, 5))).toEqual([5, 5, 4, 5, 5]);
});

test("returns NaN if no value is known", () => {
  expect(Array.from(seasonalNaive(Float64Array.of(missing), 24, 2))).toEqual([missing, missing]);
});

test("meanBaseline returns the mean of the known values", () => {
  expect(Array.from(meanBaseline(Float64Array.of(1, missing, 5), 3))).toEqual([3, 3, 3]);
});
