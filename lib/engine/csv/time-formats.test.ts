import fc from "fast-check";
import { expect, test } from "vitest";
import { TIME_FORMATS } from "#lib/contract/reading";
import { formatsThatRead, timeFormat } from "./time-formats.ts";
import { readIso } from "./time-readers.ts";

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
      expect(readIso(weekOf(new Date(monday))).ms).toBe(monday);
    }),
  );
});

const languages = ["en-US", "en-GB", "de-DE", "de-AT", "fr-FR", "es-ES", "it-IT", "pt-PT", "pt-BR", "nl-NL"];

test.each(languages)("reads every month and every day from the names of months (%s)", (locale) => {
  const { read } = timeFormat("month-name");
  for (let month = 0; month < 12; month++) {
    const first = Date.UTC(2024, month, 1);
    const day = Date.UTC(2024, month, 17);
    for (const style of ["short", "long"] as const) {
      const name = new Date(first).toLocaleString(locale, { month: style, timeZone: "UTC" });
      const full = new Date(day).toLocaleDateString(locale, {
        year: "numeric",
        day: "numeric",
        month: style,
        timeZone: "UTC",
      });
      // Portuguese writes short months as numbers.
      if (/\p{L}/u.test(full)) expect([full, read(full)]).toEqual([full, day]);
      expect([name, read(`${name} 2024`), read(`2024-${name}`)]).toEqual([name, first, first]);
      for (const text of [`17-${name}-2024`, `17-${name}-24`, `${name} 17, 2024`, `17 ${name} 2024`])
        expect([text, read(text)]).toEqual([text, day]);
    }
  }
});

test("reads every month and every day of each format without separators", () => {
  const two = (value: number) => String(value).padStart(2, "0");
  fc.assert(
    fc.property(
      fc.date({ min: new Date("1970-01-01"), max: new Date("2068-12-31"), noInvalidDate: true }),
      (date) => {
        const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
        const [hour, minute] = [date.getUTCHours(), date.getUTCMinutes()];
        const digits = `${year}${two(month)}${two(day)}`;
        const midnight = Date.UTC(year, month - 1, day);
        const first = Date.UTC(year, month - 1, 1);
        expect(timeFormat("YYYYMM").read(digits.slice(0, 6))).toBe(first);
        expect(timeFormat("YYMM").read(digits.slice(2, 6))).toBe(first);
        expect(timeFormat("YYYYMMDD").read(digits)).toBe(midnight);
        expect(timeFormat("YYMMDD").read(digits.slice(2))).toBe(midnight);
        expect(timeFormat("YYYYMMDDHH").read(digits + two(hour))).toBe(midnight + hour * 3_600_000);
        const minutes = midnight + hour * 3_600_000 + minute * 60_000;
        expect(timeFormat("YYYYMMDDHHMI").read(digits + two(hour) + two(minute))).toBe(minutes);
        const dayOfYear = (midnight - Date.UTC(year, 0, 1)) / DAY_MS + 1;
        expect(timeFormat("YYYYDDD").read(`${year}${String(dayOfYear).padStart(3, "0")}`)).toBe(midnight);
        for (const at of [month - 1, month - 0.5])
          expect(timeFormat("decimal-year").read((year + at / 12).toFixed(4))).toBe(first);
        expect(timeFormat("year+month+day").read(`${year} ${month} ${day}`)).toBe(midnight);
        expect(timeFormat("month-year").read(`${month}.${year}`)).toBe(first);
      },
    ),
  );
});

test("every format reads its example, and no format reads it otherwise unless both may be meant", () => {
  for (const name of TIME_FORMATS) {
    const { example } = timeFormat(name);
    for (const text of example.split(" or "))
      expect([name, formatsThatRead(text, name.includes("+")).map((format) => format.name)]).toEqual([
        name,
        expect.arrayContaining([name]),
      ]);
  }
});

test.each([
  ...["2020Q5", "2021-W53", "2015-W00", "Foo-10", "May 20", "Jan", "2020Q", "janu 2020", "Jan-2010-01"],
  ...["2021-06-31", "31.06.2021", "31 June 2021", "202100", "202153", "20210631", "2102291", "2021366"],
  ...["1", "60", "1000000", "-1", "315532800", "4133980800000", "2018.1", "2000-02-30", "2001-54"],
])("rejects %s", (text) => {
  expect(formatsThatRead(text)).toEqual([]);
});
