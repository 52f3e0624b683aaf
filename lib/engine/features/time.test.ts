import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CALENDAR_FIELDS, calendarValues, civilDate } from "#lib/engine/time/calendar";
import { wallToInstant, zoneOffset } from "#lib/engine/time/timezones";
import { detectFrequency, parseFrequency } from "./frequency.ts";
import { createGrid, gridOf } from "./grid.ts";

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Pacific/Apia",
];
const FREQUENCIES = ["PT1S", "PT15M", "PT1H", "PT6H", "P1D", "P7D", "P1M", "P3M", "P1Y"];
const isWeekend = (instant: number, timezone: string) =>
  calendarValues(Float64Array.of(instant), "weekday", timezone)[0]! > 5;
const anyInstant = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2040, 0) });

describe("detectFrequency", () => {
  test("detects the step of every regular series, in any zone and order, and with gaps", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FREQUENCIES),
        fc.constantFrom(...ZONES),
        anyInstant,
        fc.integer({ min: 12, max: 60 }),
        fc.integer({ min: 2, max: 10 }),
        (frequency, timezone, at, length, missing) => {
          const start = Math.floor(at / 60_000) * 60_000;
          // Apia skipped 30 December 2011, so a series on the 30th of the months has one row on the 31st.
          const { day } = civilDate(start + zoneOffset(timezone)(start));
          fc.pre(timezone !== "Pacific/Apia" || day !== 30 || !/^P\d+[MY]$/.test(frequency));
          const { timeAt } = createGrid({ frequency, timezone, start });
          const times = Array.from({ length }, (_, i) => timeAt(i)).filter((_, i) => i !== missing);
          expect(detectFrequency(times.reverse(), timezone)).toBe(frequency);
        },
      ),
    );
  });

  test.each(["America/Santiago", "Africa/Cairo", "America/Havana"])(
    "detects days on their dates in %s, which skips midnights",
    (timezone) => {
      const offset = zoneOffset(timezone);
      const start = wallToInstant(Date.UTC(2023, 0, 1), offset);
      const { timeAt, indexOf } = createGrid({ frequency: "P1D", timezone, start });
      const days = Array.from({ length: 900 }, (_, i) => i);
      const times = days.map(timeAt);
      expect(times.map(indexOf)).toEqual(days);
      expect(times.filter((at) => (at + offset(at)) % 86_400_000 !== 0).length).toBeGreaterThan(1);
      expect(detectFrequency(times, timezone)).toBe("P1D");
    },
  );

  test("returns null for irregular or too few timestamps", () => {
    expect(detectFrequency([])).toBeNull();
    expect(detectFrequency([0, 3_600_000])).toBeNull();
    expect(detectFrequency([0, 1_000, 61_000, 64_000, 99_000, 1_000_000])).toBeNull();
    expect(detectFrequency([Number.NaN, 0, 0, 0])).toBeNull();
  });

  test("detects business days with holidays, and no others", () => {
    const days = Array.from({ length: 60 }, (_, i) => Date.UTC(2024, 0, 1 + i));
    const weekdays = days.filter((day) => new Date(day).getUTCDay() % 6 !== 0);
    expect(detectFrequency(weekdays.filter((_, i) => i % 11 !== 4))).toBe("P1B");
    // One weekend may be a gap, and one Saturday means that Saturdays count.
    expect(detectFrequency(weekdays.slice(0, 10))).toBe("P1D");
    expect(detectFrequency([...weekdays, days[5]!])).toBe("P1D");
  });

  test("detects month ends as monthly", () => {
    expect(detectFrequency([1, 2, 3, 4, 5, 6].map((month) => Date.UTC(2023, month, 0)))).toBe("P1M");
  });

  test("rejects durations of mixed or unknown units", () => {
    for (const wrong of ["", "P", "PT", "P0D", "P1DT1H", "1H", "PT1.5H"]) {
      expect(() => parseFrequency(wrong)).toThrow(RangeError);
    }
  });
});

describe("createGrid", () => {
  test("returns every cell from its own time", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FREQUENCIES, "P1B"),
        fc.constantFrom(...ZONES),
        anyInstant,
        fc.integer({ min: -200, max: 2000 }),
        (frequency, timezone, at, index) => {
          const start = Math.floor(at / 60_000) * 60_000;
          fc.pre(frequency !== "P1B" || !isWeekend(start, timezone));
          const grid = createGrid({ frequency, timezone, start });
          expect(grid.indexOf(grid.timeAt(index))).toBe(index);
        },
      ),
    );
  });

  test("counts business days from Monday to Friday", () => {
    const friday = Date.UTC(2024, 0, 5);
    const grid = createGrid({ frequency: "P1B", timezone: "UTC", start: friday });
    expect([-4, 0, 1, 5, 6].map((index) => new Date(grid.timeAt(index)).toISOString().slice(0, 10))).toEqual([
      ...["2024-01-01", "2024-01-05", "2024-01-08", "2024-01-12", "2024-01-15"],
    ]);
    expect(grid.indexOf(Date.UTC(2024, 0, 7))).toBe(0);
  });

  test("keeps local midnight across a clock change", () => {
    const grid = createGrid({
      frequency: "P1D",
      timezone: "Europe/Berlin",
      start: Date.parse("2024-03-29T23:00:00Z"),
    });
    expect([0, 1, 2].map((index) => new Date(grid.timeAt(index)).toISOString())).toEqual([
      "2024-03-29T23:00:00.000Z",
      "2024-03-30T23:00:00.000Z",
      "2024-03-31T22:00:00.000Z",
    ]);
  });

  test("continues months on the day that all times show, also from a month's last day", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 27, max: 31 }),
        fc.integer({ min: 0, max: 600 }),
        fc.constantFrom(1, 2, 3, 6),
        (day, firstMonth, count) => {
          const times = Float64Array.from({ length: 40 }, (_, index) => {
            const month = firstMonth + index * count;
            return Date.UTC(1990, month, Math.min(day, new Date(Date.UTC(1990, month + 1, 0)).getUTCDate()));
          });
          const definition = gridOf(times.subarray(0, 14), { frequency: `P${count}M`, timezone: "UTC" });
          const { timeAt } = createGrid(definition);
          expect(definition.monthDay).toBe(day);
          expect(Array.from(times.keys(), timeAt)).toEqual(Array.from(times));
        },
      ),
    );
    const days = (first: number[]) =>
      gridOf(Float64Array.from(first), { frequency: "P1M", timezone: "UTC" }).monthDay;
    expect(days([Date.UTC(2023, 1, 28), Date.UTC(2023, 2, 28), Date.UTC(2023, 3, 28)])).toBe(28);
    expect(days([Date.UTC(2023, 3, 30), Date.UTC(2023, 4, 30), Date.UTC(2023, 5, 30)])).toBe(30);
    expect(days([Date.UTC(2023, 1, 28), Date.UTC(2023, 2, 30), Date.UTC(2023, 3, 30)])).toBe(30);
    expect(days([Date.UTC(2023, 1, 28), Date.UTC(2023, 2, 31), Date.UTC(2023, 3, 30)])).toBe(31);
  });

  test("continues days at midnight if the clocks skip the first day's midnight", () => {
    // On 2024-03-10, the clocks in Havana go from 00:00 to 01:00.
    const offset = zoneOffset("America/Havana");
    const midnights = Float64Array.from({ length: 60 }, (_, day) =>
      wallToInstant(Date.UTC(2024, 2, 10 + day), offset),
    );
    for (const step of [1, 7]) {
      const times = midnights.filter((_, day) => day % step === 0);
      const { indexOf, timeAt } = createGrid(
        gridOf(times.subarray(0, 6), { frequency: `P${step}D`, timezone: "America/Havana" }),
      );
      const first = indexOf(times[0]!);
      expect(Array.from(times, (time) => indexOf(time) - first)).toEqual([...times.keys()]);
      expect(Array.from(times.keys(), (at) => timeAt(first + at))).toEqual([...times]);
    }
  });

  test("steps from month end to month end", () => {
    const grid = createGrid({ frequency: "P1M", timezone: "UTC", start: Date.UTC(2024, 1, 29) });
    expect([1, 2, 12].map((index) => new Date(grid.timeAt(index)).toISOString().slice(0, 10))).toEqual([
      "2024-03-31",
      "2024-04-30",
      "2025-02-28",
    ]);
  });
});

describe("calendarValues", () => {
  test("agrees with Intl in every zone and at every instant", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), anyInstant, (timezone, instant) => {
        const format = new Intl.DateTimeFormat("en-US", {
          timeZone: timezone,
          hourCycle: "h23",
          year: "numeric",
          month: "numeric",
          day: "numeric",
          hour: "numeric",
          minute: "numeric",
          weekday: "short",
        });
        const parts = Object.fromEntries(
          format.formatToParts(instant).map(({ type, value }) => [type, value]),
        );
        const read = (field: (typeof CALENDAR_FIELDS)[number]) =>
          calendarValues(Float64Array.of(instant), field, timezone)[0];
        expect(read("year")).toBe(Number(parts.year));
        expect(read("month")).toBe(Number(parts.month));
        expect(read("dayOfMonth")).toBe(Number(parts.day));
        expect(read("hour")).toBe(Number(parts.hour));
        expect(read("minuteOfDay")).toBe(Number(parts.hour) * 60 + Number(parts.minute));
        expect(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][read("weekday")! - 1]).toBe(parts.weekday);
        const newYear = Date.UTC(Number(parts.year), 0, 1);
        const today = Date.UTC(Number(parts.year), Number(parts.month) - 1, Number(parts.day));
        expect(read("dayOfYear")).toBe((today - newYear) / 86_400_000 + 1);
      }),
    );
  });

  test("counts weeks according to ISO 8601", () => {
    const week = (date: string) => calendarValues(Float64Array.of(Date.parse(date)), "weekOfYear", "UTC")[0];
    expect(["2020-12-31", "2021-01-03", "2021-01-04", "2024-12-30", "2027-01-01"].map(week)).toEqual([
      53, 53, 1, 1, 53,
    ]);
  });

  test("leaves a missing instant missing", () => {
    for (const field of CALENDAR_FIELDS) {
      expect(calendarValues(Float64Array.of(Number.NaN), field, "Europe/Berlin")[0]).toBeNaN();
    }
  });
});

test("rejects an unknown time zone", () => {
  expect(() => zoneOffset("Mars/Olympus")).toThrow(RangeError);
});
