import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayMs } from "#lib/engine/time/day-ms";
import { isTimezone, ZoneClock } from "#lib/engine/time/timezones";
import { timeFormat } from "./time-formats.ts";
import { readIso } from "./time-readers.ts";
import { timeOfDayMs } from "./timestamps.ts";

const instant = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });

describe("dayMs", () => {
  it("agrees with the platform's calendar on every day, and is NaN for invalid days", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9999 }), fc.nat(14), fc.nat(33), (year, month, day) => {
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const exists = month >= 1 && month <= 12 && day >= 1 && date.getUTCMonth() === month - 1;
        expect(dayMs(year, month, day)).toBe(exists ? date.getTime() : Number.NaN);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("readIso", () => {
  it("reads every instant back, with an offset or Z, and with T or a blank", () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
        const iso = date.toISOString();
        expect(readIso(iso)).toEqual({ ms: date.getTime(), zoned: true });
        expect(readIso(iso.slice(0, -1).replace("T", " "))).toEqual({ ms: date.getTime(), zoned: false });
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        expect(readIso(`${iso.slice(0, 19)}Z`)).toEqual({ ms: seconds, zoned: true });
        const sign = offset < 0 ? "-" : "+";
        const two = (value: number) => String(value).padStart(2, "0");
        const zone = `${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
        expect(readIso(iso.replace("Z", zone)).ms).toBe(date.getTime() - offset * 60_000);
        expect(readIso(iso.replace("Z", zone.replace(":", ""))).ms).toBe(date.getTime() - offset * 60_000);
      }),
    );
  });

  it("reads the most frequent formats and one-character variants like the same time with slashes", () => {
    const zones = fc.constantFrom("", "Z", "+05:30", "-14:00", "+24:00", "-01:60", "+0100");
    const written = fc
      .tuple(instant, fc.constantFrom(10, 13, 16, 19, 21, 22, 23), fc.constantFrom("T", " "), zones)
      .map(([date, end, parting, zone]) => date.toISOString().slice(0, end).replace("T", parting) + zone);
    const change = fc.tuple(fc.integer({ min: 10, max: 28 }), fc.constantFrom(..."0369 :.,-+TZz"));
    fc.assert(
      fc.property(written, fc.option(change), (iso, change) => {
        const [at, character] = change ?? [iso.length, ""];
        const text = iso.slice(0, at) + character + iso.slice(at + 1);
        expect(readIso(text)).toEqual(readIso(text.replace(/^(\d+)-(\d+)-(\d+)/, "$1/$2/$3")));
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2024-03", "2024-03-01T00:00:00.000Z"],
    ["2024/3/1", "2024-03-01T00:00:00.000Z"],
    ["2024-3-1", "2024-03-01T00:00:00.000Z"],
    ["2024.03.01", "2024-03-01T00:00:00.000Z"],
    ["2024/03", "2024-03-01T00:00:00.000Z"],
    ["2024M03", "2024-03-01T00:00:00.000Z"],
    ["2024-03-01T07", "2024-03-01T07:00:00.000Z"],
    ["2024-03-01 7:05 PM", "2024-03-01T19:05:00.000Z"],
    ["2024-03-01T07:05:06.789123Z", "2024-03-01T07:05:06.789Z"],
  ])("reads %s", (text, iso) => {
    expect(new Date(readIso(text).ms).toISOString()).toBe(iso);
  });

  it.each([
    "2023-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-01-01T24:00",
    "2024-01-01T10:60",
    "20240101",
    "x",
    "2024-01-01T10:00+25:00",
  ])("rejects %s", (text) => {
    expect(readIso(text).ms).toBeNaN();
  });
});

describe("dates with the year last", () => {
  it("are read in both orders, with two or four digits of the year", () => {
    fc.assert(
      fc.property(instant, fc.constantFrom("/", ".", "-"), fc.boolean(), (date, mark, isShort) => {
        const [year, month, day] = date.toISOString().slice(0, 10).split("-") as [string, string, string];
        const digits = isShort ? year.slice(2) : year;
        const full = isShort ? Number(digits) + (Number(digits) >= 69 ? 1900 : 2000) : Number(year);
        const time = date.toISOString().slice(11, -1);
        const expected = dayMs(full, Number(month), Number(day)) + timeOfDayMs(time);
        const monthFirst = `${[month, day, digits].join(mark)} ${time}`;
        const dayFirst = `${[Number(day), Number(month), digits].join(mark)} ${time}`;
        expect(timeFormat("month-day-year").read(monthFirst)).toBe(expected);
        expect(timeFormat("day-month-year").read(dayFirst)).toBe(expected);
      }),
    );
  });

  it("have one kind of separator", () => {
    for (const text of ["1/2.2024", "1/2/2024/3", "1/2/2024x", "1/2/202"])
      expect(timeFormat("month-day-year").read(text)).toBeNaN();
  });
});

describe("timeOfDayMs", () => {
  it.each([
    ["0", 0],
    ["23:59:59.999", 86_399_999],
    ["12 AM", 0],
    ["12:30pm", 45_000_000],
  ])("reads %s", (text, ms) => expect(timeOfDayMs(text)).toBe(ms));
  it.each(["24", "12:60", "13 pm", "0 am", "", "-1", "1:2"])("rejects %j", (text) =>
    expect(timeOfDayMs(text)).toBeNaN(),
  );
});

describe("ZoneClock", () => {
  it("returns the instant at which the zone's clock shows the time, for any zone and hour", () => {
    const zone = fc.constantFrom(
      "Europe/Berlin",
      "America/New_York",
      "Asia/Kolkata",
      "Australia/Lord_Howe",
      "UTC",
    );
    const hour = fc
      .integer({ min: 0, max: 24 * 365 * 40 })
      .map((hours) => Date.UTC(1985, 0, 1) + hours * 3_600_000);
    fc.assert(
      fc.property(zone, hour, (timezone, utcMs) => {
        const shown = new Intl.DateTimeFormat("sv-SE", {
          timeZone: timezone,
          dateStyle: "short",
          timeStyle: "medium",
        });
        const clockMs = readIso(shown.format(utcMs)).ms;
        const found = new ZoneClock(timezone).toUtc(clockMs, Number.NEGATIVE_INFINITY);
        expect(shown.format(found)).toBe(shown.format(utcMs));
        expect(found).toBeLessThanOrEqual(utcMs);
      }),
      { numRuns: 300 },
    );
  });

  it("reads a repeated hour as the second one if the rows are past the first", () => {
    const clock = new ZoneClock("Europe/Berlin");
    const shown = Date.UTC(2024, 9, 27, 2, 0);
    const first = clock.toUtc(shown, Number.NEGATIVE_INFINITY);
    expect(new Date(first).toISOString()).toBe("2024-10-27T00:00:00.000Z");
    expect(clock.toUtc(shown, first)).toBe(first + 3_600_000);
  });

  it("returns no instant for a skipped hour", () => {
    expect(new ZoneClock("Europe/Berlin").toUtc(Date.UTC(2024, 2, 31, 2, 30), 0)).toBeNaN();
  });

  it("recognizes time zones", () => {
    expect(isTimezone("Europe/Berlin")).toBe(true);
    expect(isTimezone("Europe/Atlantis")).toBe(false);
    expect(() => new ZoneClock("Europe/Atlantis")).toThrow(RangeError);
  });
});
