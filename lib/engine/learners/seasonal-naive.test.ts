import { expect, test } from "vitest";
import { meanBaseline, seasonalNaive } from "./seasonal-naive.ts";

const missing = Number.NaN;

test("repeats the last season over the horizon", () => {
  const history = Float64Array.of(9, 9, 9, 1, 2, 3);
  expect(Array.from(seasonalNaive(history, 3, 7))).toEqual([1, 2, 3, 1, 2, 3, 1]);
});

test("passes over a missing value for the season before, and else takes the last known value", () => {
  const history = Float64Array.of(7, missing, 9, 1, missing, 3);
  expect(Array.from(seasonalNaive(history, 3, 3))).toEqual([1, 3, 3]);
  expect(Array.from(seasonalNaive(Float64Array.of(7, 8, 9, missing), 2, 2))).toEqual([9, 8]);
});

test("a history shorter than the season repeats its end where the season is unknown", () => {
  expect(Array.from(seasonalNaive(Float64Array.of(4, 5), 4, 5))).toEqual([5, 5, 4, 5, 5]);
});

test("knows nothing where nothing is known", () => {
  expect(Array.from(seasonalNaive(Float64Array.of(missing), 24, 2))).toEqual([missing, missing]);
});

test("the mean baseline is the mean of what is known", () => {
  expect(Array.from(meanBaseline(Float64Array.of(1, missing, 5), 3))).toEqual([3, 3, 3]);
});
