import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { axisOf, pointLabel, rowLabels, tickFormatter } from "#components/chart/axis.ts";
import { axisTicks } from "#components/chart/axis-ticks.ts";
import { createGrid } from "#lib/engine/features/grid";
import { dayText, fromWall, periodOf, periodText, seriesTimes, toWall, unknownCalendar } from "./period.ts";

const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Pacific/Auckland",
  "Asia/Kolkata",
  "America/Sao_Paulo",
];
const frequencies = ["P1D", "P7D", "P1M", "P3M", "P1Y"] as const;
const units = { P1D: "day", P7D: "week", P1M: "month", P3M: "quarter", P1Y: "year" } as const;
const pattern = {
  day: /^\w{3}, \d{1,2} \w{3,4} \d{4}$/,
  week: /^Week of \d{1,2} \w{3,4} \d{4}$/,
  month: /^\w{3,4} \d{4}$/,
  quarter: /^Q[1-4] \d{4}$/,
  year: /^\d{4}$/,
};

/** Returns the times of a series that begins on 1 January, or ends its periods on their last days. */
function timesOf(frequency: string, timezone: string, count: number, isLastDay = false) {
  const first = isLastDay
    ? { P1M: "2019-01-31", P3M: "2019-03-31", P1Y: "2019-12-31" }[frequency]!
    : "2019-01-01";
  const start = fromWall(timezone, Date.parse(first));
  const grid = createGrid({ frequency, timezone, start, ...(isLastDay && { monthDay: 31 }) });
  return Array.from({ length: count }, (_, index) => grid.timeAt(index));
}

const series = fc.record({
  frequency: fc.constantFrom(...frequencies),
  timezone: fc.constantFrom(...zones),
  count: fc.integer({ min: 1, max: 60 }),
  ticks: fc.integer({ min: 2, max: 12 }),
  isLastDay: fc.boolean(),
  isKnown: fc.boolean(),
});

test("names each point by its period, differently from others, and puts ticks only on periods", () => {
  fc.assert(
    fc.property(series, ({ frequency, timezone, count, ticks, isLastDay, isKnown }) => {
      const unit = units[frequency];
      const isEnd = isLastDay && unit !== "day" && unit !== "week";
      // Fewer than three points do not show their step.
      const calendar = { timezone, frequency: isKnown || count < 3 ? frequency : null };
      const times = timesOf(frequency, timezone, count, isEnd);
      const axis = axisOf({ timestamps: times.map((time) => new Date(time).toISOString()) }, calendar);
      expect(axis.period?.unit).toBe(unit);
      const labels = times.map(rowLabels(axis));
      for (const [at, label] of labels.entries()) {
        expect(label).toMatch(pattern[unit]);
        expect(pointLabel(axis, times[at]!)).toBe(label);
      }
      expect(new Set(labels).size).toBe(count);

      const places = axisTicks("time", axis.domain, ticks, axis.period);
      const grid = new Set(times);
      for (const place of places) expect(grid).toContain(place);
      const texts = places.map(tickFormatter("time", places, axis.period));
      expect(new Set(texts).size).toBe(places.length);
      if (unit !== "day" && unit !== "week")
        for (const [at, place] of places.entries()) expect(texts[at]).toBe(pointLabel(axis, place));
      if (count > 2) expect(places.length).toBeGreaterThan(1);
    }),
  );
});

describe("periodOf", () => {
  const days = (...texts: string[]) => texts.map((text) => Date.parse(text));

  it("leaves hours in UTC, also a single midnight", () => {
    expect(periodOf(days("2026-01-01T00:00Z", "2026-01-01T01:00Z"), unknownCalendar)).toBeNull();
    expect(periodOf(days("2026-01-01"), { frequency: "PT1H", timezone: "UTC" })).toBeNull();
  });

  it("names quarters and years of a fiscal calendar by their months, and the 15th by its day", () => {
    const unitsOf = (...texts: string[]) => periodOf(days(...texts), unknownCalendar)?.unit;
    expect(unitsOf("2026-02-01", "2026-05-01", "2026-08-01", "2026-11-01")).toBe("month");
    expect(unitsOf("2024-07-01", "2025-07-01", "2026-07-01")).toBe("month");
    expect(unitsOf("2026-01-15", "2026-02-15", "2026-03-15")).toBe("day");
    expect(unitsOf("2026-01-01", "2026-07-01", "2027-01-01")).toBe("month");
  });

  it("does not take the dataset's step for a series with another one", () => {
    const monthly = { frequency: "P1M", timezone: "UTC" };
    expect(periodOf(days("2026-01-01", "2026-01-02", "2026-01-03"), monthly)?.unit).toBe("day");
    const weekly = { frequency: "P7D", timezone: "UTC" };
    expect(periodOf(days("2026-01-01", "2026-01-02"), weekly)?.unit).toBe("day");
  });

  it("keeps the day that a zone's clocks begin at 01:00", () => {
    const zone = "America/Sao_Paulo";
    const times = [3, 4, 5].map((day) => fromWall(zone, Date.UTC(2018, 10, day)));
    expect(toWall(zone, times[1]!) % 86_400_000).toBe(3_600_000);
    const period = periodOf(times, { frequency: null, timezone: zone });
    expect(times.map((time) => periodText(period!, time))).toEqual([
      ...["Sat, 3 Nov 2018", "Sun, 4 Nov 2018", "Mon, 5 Nov 2018"],
    ]);
  });
});

test("names a week by the day on which the data's weeks begin", () => {
  const sundays = ["2026-01-04", "2026-01-11", "2026-01-18"].map((day) => Date.parse(day));
  const period = periodOf(sundays, unknownCalendar)!;
  expect(periodText(period, Date.parse("2026-01-14"))).toBe("Week of 11 Jan 2026");
});

test("writes the times of a series by its step", () => {
  const utc = { frequency: null, timezone: null };
  const days = ["2016-01-01T00:00:00.000Z", "2016-02-02T00:00:00.000Z"];
  expect(seriesTimes(days, utc)).toEqual(["1 Jan 2016", "2 Feb 2016"]);
  const hours = ["2016-01-01T00:00:00.000Z", "2016-01-01T01:00:00.000Z"];
  expect(seriesTimes(hours, utc)).toEqual(["1 Jan 2016, 00:00 UTC", "1 Jan 2016, 01:00 UTC"]);
  expect(seriesTimes(hours, utc, "")).toEqual(["1 Jan 2016, 00:00", "1 Jan 2016, 01:00"]);
  const seconds = ["2016-01-01T00:00:00Z", "2016-01-01T00:00:10Z"];
  expect(seriesTimes(seconds, utc, "")).toEqual(["1 Jan 2016, 00:00:00", "1 Jan 2016, 00:00:10"]);
  const quarters = ["2015-12-31T23:00:00Z", "2016-09-30T22:00:00Z"];
  expect(seriesTimes(quarters, { frequency: "P3M", timezone: "Europe/Berlin" })).toEqual([
    "Q1 2016",
    "Q4 2016",
  ]);
  expect(dayText("2015-12-31T23:00:00Z", { frequency: "P1D", timezone: "Europe/Berlin" })).toBe("1 Jan 2016");
  expect(dayText("2016-01-01T13:00:00Z", { frequency: "PT1H", timezone: "Europe/Berlin" })).toBe(
    "1 Jan 2016",
  );
});
