import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DatePart, DateValue } from "#lib/contract/date-rule";
import type { Column } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { numericValues } from "#lib/engine/table/columns";
import { datePartText, dateRuleReader, partReader } from "#lib/engine/time/date-rule";
import { hasBikeHours, readBikeHours } from "#testing/bike-hours";
import { findDateRules } from "./find-date-rules.ts";
import { createGrid } from "./grid.ts";
import { publicHolidays } from "./holiday-days.ts";

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];

function timesOf(frequency: string, timezone: string, rows: number, start = Date.UTC(2021, 4, 3)) {
  const { timeAt } = createGrid({ frequency, timezone, start });
  return Float64Array.from({ length: rows }, (_, at) => timeAt(at));
}

function columnOf(name: string, values: readonly DateValue[]): Column {
  if (values.some((value) => typeof value === "string")) {
    const categories = [...new Set(values)].map(String);
    return {
      name,
      type: "category",
      categories,
      codes: Int32Array.from(values, (value) => (value === null ? -1 : categories.indexOf(String(value)))),
    };
  }
  const type = values.some((value) => typeof value === "boolean") ? "boolean" : "number";
  return {
    name,
    type,
    values: Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value))),
  };
}

function find(column: Column, instants: Float64Array, timezone = "UTC", holidays?: Holidays) {
  const table = { rowCount: instants.length, columns: [column] };
  return findDateRules(table, [column.name], { instants, timezone, holidays }).get(column.name);
}

type Holidays = { country: string; region: string | null; days: number[] };

const usHolidays = async (instants: Float64Array, region: string | null = null): Promise<Holidays> => ({
  country: "US",
  region,
  days: await publicHolidays({ country: "US", region: region ?? undefined }, instants, "UTC"),
});

describe("findDateRules", () => {
  const parts = [
    ["PT1H", "hour", 24],
    ["PT1H", "weekday", 7],
    ["PT1H", "hourOfWeek", 168],
    ["P1D", "month", 12],
    ["P1D", "quarter", 4],
    ["P1D", "dayOfMonth", 31],
    ["P1D", "weekOfYear", 53],
    ["P1D", "monthAndDay", 366],
    ["P1M", "month", 12],
    ["PT15M", "minuteOfDay", 96],
  ] as const satisfies [string, DatePart, number][];
  const rowsOf = { PT15M: 96 * 60, PT1H: 24 * 100, P1D: 365 * 4 + 1, P1M: 12 * 6 };

  test("a value for each part of the date continues as that function, in every zone", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...parts),
        fc.constantFrom(...zones),
        fc.constantFrom("number", "text", "flag"),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 0, max: 500 }),
        ([frequency, part], timezone, kind, seed, startDay) => {
          const rows = rowsOf[frequency];
          const start = Date.UTC(2019, 0, 1 + startDay);
          const all = timesOf(frequency, timezone, 2 * rows, start);
          const random = seededRandom(seed);
          const byPlace = new Map<number, DateValue>();
          const partOf = partReader(part, { timezone });
          const values = Array.from(all, (time) => {
            const place = partOf(time);
            const code = random.below(4);
            const fresh = kind === "number" ? code : kind === "text" ? `v${code}` : code > 1;
            if (!byPlace.has(place)) byPlace.set(place, fresh);
            return byPlace.get(place)!;
          });
          const known = values.slice(0, rows);
          fc.pre(new Set(known).size > 1);
          // One in ten known values is missing. A day of the year could then be known only once, which proves nothing.
          const isMissing = () => part !== "monthAndDay" && random.below(10) === 0;
          const given = known.map((value) => (isMissing() ? null : value));
          const rule = find(columnOf("c", given), all.slice(0, rows), timezone);
          expect(rule, part).toBeDefined();
          const ruled = dateRuleReader(rule!);
          const seen = new Set(Array.from(all.slice(0, rows), partOf));
          for (const [at, time] of all.entries()) {
            // A leap day that the known rows lack is that of its neighbours.
            if (part === "monthAndDay" && partOf(time) === 229) continue;
            const expected = ruled(time);
            // Parts that the known rows lack stay unknown: nothing is guessed.
            if (expected !== null) expect(expected).toBe(values[at]);
            else expect(given[at] === null || at >= rows || !seen.has(partOf(time))).toBe(true);
          }
          const unknown = Array.from(all.slice(rows), ruled).filter((value) => value === null).length;
          expect(unknown).toBeLessThan(0.1 * rows);
        },
      ),
      { numRuns: 40 },
    );
  });

  test("claims no rule for values that do not follow from the date", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("PT1H", "P1D", "P7D", "P1M"),
        fc.integer({ min: 2, max: 1_200 }),
        fc.constantFrom("noise", "rare", "steps", "counter", "walk", "one exception"),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 1, max: 1e6 }),
        (frequency, rows, kind, count, seed) => {
          const random = seededRandom(seed);
          const instants = timesOf(frequency, "UTC", rows);
          const weekday = partReader(frequency === "PT1H" ? "hour" : "weekday", { timezone: "UTC" });
          let level = 0;
          const exception = random.below(rows);
          const values = Array.from(instants, (time, at) => {
            if (kind === "noise") return random.below(count);
            if (kind === "rare") return random.below(50) === 0 ? 1 : 0;
            if (kind === "counter") return at + 1;
            if (kind === "one exception") return weekday(time) + (at === exception ? 50 : 0);
            if (kind === "walk") level += random.below(3) - 1;
            if (kind === "steps" && random.below(40) === 0) level = random.below(count);
            return level;
          });
          // A constant, and a counter of rows that equals a part, may be the part.
          fc.pre(new Set(values).size > 1);
          expect(find(columnOf("c", values), instants)).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  test("an exception in a part that occurs only once is no rule", () => {
    // Two weeks of hours but six: the last hours of the week occur once.
    const instants = timesOf("PT1H", "UTC", 330);
    const hours = Array.from(instants, partReader("hour", { timezone: "UTC" }));
    expect(find(columnOf("c", hours), instants)).toMatchObject({ part: "hour" });
    expect(find(columnOf("c", hours.with(165, 50)), instants)).toBeUndefined();
  });

  test("a part over less than two of its cycles proves nothing", () => {
    const instants = timesOf("P1D", "UTC", 300, Date.UTC(2021, 0, 1));
    const months = Array.from(instants, partReader("month", { timezone: "UTC" }));
    const seasons = months.map((month) => Math.ceil(month / 3));
    expect(find(columnOf("c", seasons), instants)).toBeUndefined();
  });

  test.each([
    ["month", "month", 0, [] as number[]],
    ["weekday", "Monday = 0", -1, []],
    ["weekday", "Sunday = 0", null, [1, 2, 3, 4, 5, 6, 0]],
    ["hour", "hours from 1", 1, []],
    ["year", "year", 0, []],
  ] as const)("recognises the %s as %s", (part, _, offset, table) => {
    const instants = timesOf("PT1H", "UTC", 24 * 500);
    const read = partReader(part, { timezone: "UTC" });
    const values = Array.from(instants, (time) =>
      offset === null ? table[read(time) - 1]! : read(time) + offset,
    );
    const rule = find(columnOf("c", values), instants)!;
    expect(rule).toMatchObject({ part, timezone: "UTC", ...(offset !== null && { offset }) });
    const later = Date.UTC(2030, 0, 1, 13);
    expect(dateRuleReader(rule)(later)).toBe(offset === null ? table[1] : read(later) + offset);
  });

  test("a working day is neither a weekend nor a public holiday of the country", async () => {
    const instants = timesOf("P1D", "UTC", 500);
    const holidays = await usHolidays(instants);
    const place = partReader("weekdayAndHoliday", {
      timezone: "UTC",
      holidays: { ...holidays, observed: false },
    });
    const isWorking = (time: number) => place(time) <= 5;
    const column = columnOf("working", Array.from(instants, isWorking));
    expect(find(column, instants)).toBeUndefined();
    const rule = find(column, instants, "UTC", holidays)!;
    expect(datePartText(rule)).toBe("day of week and public holidays (US)");
    const ruled = dateRuleReader(rule);
    for (const time of timesOf("P1D", "UTC", 2_000)) expect(ruled(time)).toBe(isWorking(time));
    // Beyond the stored years, holidays are unknown.
    expect(ruled(Date.UTC(2300, 0, 1))).toBeNull();
  });

  test.skipIf(!hasBikeHours())(
    "two years of hourly rentals: each column of the calendar is found",
    async () => {
      const table = readBikeHours();
      const instants = numericValues(table, "time");
      const holidays = await usHolidays(instants, "DC");
      const names = table.columns.map(({ name }) => name).filter((name) => name !== "time");
      const rules = findDateRules(table, names, { instants, timezone: "UTC", holidays });
      expect(Object.fromEntries([...rules].map(([name, rule]) => [name, datePartText(rule)]))).toEqual({
        season: "month and day",
        mnth: "month",
        holiday: "observed public holidays (US, DC)",
        weekday: "day of week",
        workingday: "day of week and observed public holidays (US, DC)",
      });
      const newYear = Date.UTC(2013, 0, 1, 8);
      const at = (name: string) => dateRuleReader(rules.get(name)!)(newYear);
      const calendar = ["season", "mnth", "holiday", "weekday", "workingday"];
      expect(calendar.map(at)).toEqual([1, 1, 1, 2, 0]);
    },
  );
});
