import { expect, it } from "vitest";
import { DomainError } from "#lib/platform/errors/domain-error";
import { requireSeriesLimits } from "./check-panel.ts";

const columns = ["store", "item"];
const index = (count: number) => ({
  columns,
  values: Array.from({ length: count }, (_, at) => [String(at), "1"]),
  ofRow: new Int32Array(),
});
const messageOf = (rowCount: number, series: number) => {
  try {
    requireSeriesLimits({ rowCount, columns: [] }, index(series));
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, error.message];
  }
};

it("accepts as many series and rows as the limits", () => {
  expect(messageOf(20_000_000, 10_000)).toBeNull();
});

it("names the limit of the series, and the columns", () => {
  expect(messageOf(20_000, 10_001)).toEqual([
    "input_invalid",
    'The values of "store", "item" name 10,001 series. A dataset has at most 10,000 series. Name fewer columns in `series`, or leave out some series.',
  ]);
});

it("names the limit of the rows", () => {
  expect(messageOf(20_000_001, 5)).toEqual([
    "input_invalid",
    "The file has 20,000,001 rows. A dataset with series has at most 20,000,000 rows. Leave out early rows or some series.",
  ]);
});
