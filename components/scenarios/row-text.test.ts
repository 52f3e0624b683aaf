import { describe, expect, it } from "vitest";
import { Shown } from "#components/display/shown.ts";
import { unknownCalendar } from "#components/time/period.ts";
import { actualsByTime, columnText, errorOf, isOutside, stretchOf } from "./row-text.ts";

const plain = new Shown("x");

describe("a cell of a scenario's rows", () => {
  it("formats a value by its type, and a missing value as a dash", () => {
    const textsOf = (values: (string | number | boolean | null)[], type: "number" | "boolean" | "category") =>
      columnText(values, { type }, plain, unknownCalendar).texts;
    expect(textsOf([12_345.6, null, 7], "number")).toEqual(["12,346", "–", "7"]);
    expect(textsOf([1.5, 2], "number")).toEqual(["1.500", "2.000"]);
    expect(columnText([1.5, 2], { type: "number" }, new Shown("x", "°C", 1), unknownCalendar).texts).toEqual([
      "1.5",
      "2.0",
    ]);
    expect(textsOf([false], "boolean")).toEqual(["false"]);
    // A category may look like a time.
    const times = ["2026-01-01T00:00:00.000Z", null, "2026-01-02T00:00:00.000Z"];
    expect(textsOf(["rain", ...times], "category")).toEqual(["rain", times[0], "–", times[2]]);
    expect(columnText(times, { type: "timestamp" }, plain, unknownCalendar)).toEqual({
      texts: ["1 Jan 2026", "–", "2 Jan 2026"],
      note: null,
    });
    expect(columnText(["2026-01-01T13:00:00.000Z"], { type: "timestamp" }, plain, unknownCalendar)).toEqual({
      texts: ["1 Jan 2026, 13:00"],
      note: "UTC",
    });
  });

  it("marks values beyond the known range and unknown categories as outside", () => {
    const range = { least: 0, greatest: 20, trainedMin: 5, trainedMax: 8 };
    const numbers = { range, unseen: null };
    expect([4.9, 5, 8, 8.1].map((value) => isOutside(value, numbers))).toEqual([true, false, false, true]);
    expect(isOutside(null, numbers)).toBe(false);
    const categories = { range: null, unseen: ["hail"] };
    expect(["hail", "rain"].map((value) => isOutside(value, categories))).toEqual([true, false]);
  });

  it("finds the actual by the row's time, for rows in any order", () => {
    const [first, last] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"];
    const rows = [last, null, first].map((timestamp) => ({ timestamp }));
    expect(stretchOf(rows)).toEqual({ from: first, to: last });
    expect(stretchOf([{ timestamp: null }])).toBeNull();
    const actuals = actualsByTime({ timestamps: [first, last], actual: [7, null] });
    expect([actuals.get(first), actuals.get(last)]).toEqual([7, null]);
    expect(actualsByTime(undefined).size).toBe(0);
    expect([errorOf(9, 7), errorOf(9, null), errorOf(null, 7)]).toEqual([2, null, null]);
  });
});
