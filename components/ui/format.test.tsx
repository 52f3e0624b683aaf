import { describe, expect, it } from "vitest";
import {
  formatColumn,
  formatDateTime,
  formatNumber,
  formatPercent,
  formatSeriesTimes,
  formatShare,
  formatSigned,
} from "./format.tsx";

describe("numbers", () => {
  it("have sensible digits, and a minus that is as wide as a plus", () => {
    expect([12_345.6, 123.44, -1.2345, 0, -3, null].map(formatNumber)).toEqual([
      "12,346",
      "123.4",
      "−1.235",
      "0",
      "−3",
      "–",
    ]);
    expect([0.000123, 2.4911e-7, -5e-5].map(formatNumber)).toEqual(["0.000123", "2.49e−7", "−5e−5"]);
    expect([12.345, 0.0034, 0].map(formatPercent)).toEqual(["+12.35 %", "+0.003 %", "0 %"]);
    expect([0.3671, 0.14, -0.01].map(formatShare)).toEqual(["36.7 %", "14.0 %", "−1.0 %"]);
    expect([0.0005, 0.00049, 0].map(formatShare)).toEqual(["0.1 %", "< 0.1 %", "0.0 %"]);
    expect([2.5, -2.5, 0, null].map((value) => formatSigned(value))).toEqual(["+2.5", "−2.5", "0", "–"]);
  });

  it("of a column have the same decimals, those of its largest", () => {
    const column = [363, 11.96, -0.49, null];
    expect(column.map(formatColumn(column))).toEqual(["363.0", "12.0", "−0.5", "–"]);
    expect([1, 200].map(formatColumn([1, 200]))).toEqual(["1", "200"]);
    expect([0.02, 0].map(formatColumn([0.02, 0]))).toEqual(["0.02000", "0.00000"]);
    expect(formatSigned(12_345.6, formatColumn([12_345.6]))).toBe("+12,346");
  });
});

describe("times of a series", () => {
  it("are days where all are midnights, the same days in every zone", () => {
    const days = ["2016-01-01T00:00:00.000Z", "2016-02-01T00:00:00.000Z"];
    expect(formatSeriesTimes(days)).toEqual(["1 Jan 2016", "1 Feb 2016"]);
    const hours = ["2016-01-01T00:00:00.000Z", "2016-01-01T01:00:00.000Z"];
    expect(formatSeriesTimes(hours)).toEqual(hours.map(formatDateTime));
  });
});
