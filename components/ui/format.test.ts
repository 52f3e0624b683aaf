import { describe, expect, it } from "vitest";
import {
  formatColumn,
  formatDecimals,
  formatInterval,
  formatNumber,
  formatPercent,
  formatRelative,
  formatShare,
  formatSigned,
  roundedPercent,
} from "./format.ts";

describe("numbers", () => {
  it("have a dash instead of an interval without both bounds", () => {
    expect(formatInterval(131.64, 179)).toBe("131.6 – 179");
    expect([formatInterval(null, 179), formatInterval(1, Number.NaN)]).toEqual(["–", "–"]);
  });

  it("have significant digits and a minus as wide as a plus", () => {
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
    // Sums of equal numbers in another order.
    expect([1e-13, -1e-13].map(formatPercent)).toEqual(["0 %", "0 %"]);
    expect([0.3671, 0.14, -0.01].map(formatShare)).toEqual(["36.7 %", "14.0 %", "−1.0 %"]);
    expect([0.0005, 0.00049, 0].map(formatShare)).toEqual(["0.1 %", "< 0.1 %", "0.0 %"]);
    expect([0.9996, 0.9994, 1].map(formatShare)).toEqual(["> 99.9 %", "99.9 %", "100.0 %"]);
    expect([2.5, -2.5, 0, null].map((value) => formatSigned(value))).toEqual(["+2.5", "−2.5", "0", "–"]);
    expect([0.04, -0.04, 0.06].map((value) => formatSigned(value, formatDecimals(1)))).toEqual([
      "0.0",
      "0.0",
      "+0.1",
    ]);
  });

  it("show 0 % and 100 % only for exact values", () => {
    expect([99.84, 99.99, 100, -99.9996, 100.4].map((size) => roundedPercent(size, 0))).toEqual([
      "99.8",
      "99.99",
      "100",
      "−99.9996",
      "100.4",
    ]);
    expect([0.04, -0.0004, 0, -0].map((size) => roundedPercent(size, 1))).toEqual([
      "0.04",
      "−0.0004",
      "0",
      "0",
    ]);
    expect(roundedPercent(100 * (1 - 1e-17), 0)).toBe("100");
    expect([45.6, 12_345.6].map((size) => roundedPercent(size, 0))).toEqual(["46", "12,346"]);
  });

  it("use the decimals of the largest number for a whole column", () => {
    const column = [363, 11.96, -0.49, null];
    expect(column.map(formatColumn(column))).toEqual(["363.0", "12.0", "−0.5", "–"]);
    expect([1, 200].map(formatColumn([1, 200]))).toEqual(["1", "200"]);
    expect([0.02, 0].map(formatColumn([0.02, 0]))).toEqual(["0.02000", "0.00000"]);
    expect(formatSigned(12_345.6, formatColumn([12_345.6]))).toBe("+12,346");
    expect([1.234e-5, 0].map(formatColumn([1.234e-5, 0]))).toEqual(["1.23e−5", "0"]);
  });

  it("use scientific notation for a column of numbers too small for decimals", () => {
    const column = [2.4911e-9, -5e-10, 0];
    expect(column.map(formatColumn(column))).toEqual(["2.49e−9", "−5e−10", "0"]);
  });
});

describe("relative times", () => {
  const ago = (seconds: number) =>
    formatRelative("2026-01-31T00:00:00Z", Date.UTC(2026, 0, 31, 0, 0, seconds));
  it("use the next unit from a whole one on", () => {
    expect([59, 60, 3_599, 3_600, 86_399, 86_400, 3 * 86_400 - 1].map(ago)).toEqual([
      "just now",
      "1 minute ago",
      "59 minutes ago",
      "1 hour ago",
      "23 hours ago",
      "yesterday",
      "2 days ago",
    ]);
  });
});
