import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asOfJoin } from "./as-of-join.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const start = Date.UTC(2024, 0, 1);
const daily = { frequency: "P1D", timezone: "UTC", start };

describe("asOfJoin", () => {
  it("gives every hour the value of its day, and a missing value for days without one", () => {
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1 });
    const hours = fc.array(fc.integer({ min: -48, max: 31 * 24 }), { minLength: 1 });
    fc.assert(
      fc.property(days, hours, (known, wanted) => {
        const sorted = known.toSorted((a, b) => a - b);
        const past = {
          times: Float64Array.from(sorted, (day) => start + day * DAY_MS),
          values: Float64Array.from(sorted, (day) => 100 + day),
          grid: daily,
        };
        const values = asOfJoin(
          Float64Array.from(wanted, (hour) => start + hour * HOUR_MS),
          past,
          null,
        );
        wanted.forEach((hour, row) => {
          const day = Math.floor(hour / 24);
          expect(values[row]).toBe(known.includes(day) ? 100 + day : Number.NaN);
        });
      }),
    );
  });

  it("gives the last value up to each time without regular steps", () => {
    const past = { times: Float64Array.of(10, 20, 50), values: Float64Array.of(1, 2, 3), grid: null };
    expect([...asOfJoin(Float64Array.of(5, 10, 19, 20, 49, 50, 99), past, null)]).toEqual([
      Number.NaN,
      1,
      1,
      2,
      2,
      3,
      3,
    ]);
  });

  it("uses present predictions for every time after the end without regular steps", () => {
    const past = { times: Float64Array.of(10, 20), values: Float64Array.of(1, 2), grid: null };
    expect([...asOfJoin(Float64Array.of(15, 20, 21), past, Float64Array.of(7, 8, 9))]).toEqual([1, 2, 9]);
  });

  it("uses present predictions only after the series' end, not for gaps", () => {
    const past = {
      times: Float64Array.of(start, start + 2 * DAY_MS),
      values: Float64Array.of(1, 3),
      grid: daily,
    };
    const times = Float64Array.of(
      start - DAY_MS,
      start,
      start + DAY_MS,
      start + 2 * DAY_MS,
      start + 3 * DAY_MS,
    );
    const now = Float64Array.of(70, 71, 72, 73, 74);
    expect([...asOfJoin(times, past, now)]).toEqual([Number.NaN, 1, Number.NaN, 3, 74]);
  });
});
