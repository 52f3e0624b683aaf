import { expect, test } from "vitest";
import { BUSINESS_DAY } from "#lib/contract/duration-text";
import { naiveSeasons, seasonLengths } from "./seasonality.ts";

test.each([
  ["PT1H", [24, 168, 8736]],
  ["P1D", [7, 364]],
  [BUSINESS_DAY, [5, 260]],
  ["P5D", [73]],
  ["PT20H", [8, 437]],
  ["P1W", [52]],
  ["P1M", [12]],
  ["P1Y", []],
])("seasons of %s have more than one step", (frequency, expected) => {
  expect(seasonLengths(frequency)).toEqual(expected);
  expect(naiveSeasons(frequency, 100_000)).toEqual([1, ...expected]);
});
