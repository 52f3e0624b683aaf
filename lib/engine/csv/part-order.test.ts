import { describe, expect, it } from "vitest";
import type { NumericColumn } from "#lib/contract/table";
import type { CsvOptions } from "./options.ts";
import { parseCsv } from "./parse.ts";

const DAY_MS = 86_400_000;
/** Writes rows of `count` steps of days from 5 January 2023. */
const days = (count: number, step: number, write: (day: Date) => string) =>
  Array.from({ length: count }, (_, row) => write(new Date(Date.UTC(2023, 0, 5) + row * step * DAY_MS)));
const y = (day: Date) => day.getUTCFullYear();
const m = (day: Date) => day.getUTCMonth() + 1;
const d = (day: Date) => day.getUTCDate();
const short = (day: Date) => day.toLocaleString("de", { month: "short", timeZone: "UTC" });

function read(names: string, rows: readonly string[], options: CsvOptions = {}) {
  const timestamp = names.split(",");
  const file = [`${names},sales`, ...rows.map((row, at) => `${row},${at % 7}`)].join("\n");
  const { times, table, issues } = parseCsv(file, { timestamp, ...options });
  const column = table.columns.find(({ name }) => name === times?.column) as NumericColumn | undefined;
  const dates = [...(column?.values ?? [])].map((ms) =>
    Number.isNaN(ms) ? null : new Date(ms).toISOString().slice(0, 13),
  );
  return { issues, columns: times?.columns, format: times?.format, first: dates[0], last: dates.at(-1) };
}

describe("parts of a time in any order:", () => {
  it.each([
    [
      "month,year",
      days(30, 31, (at) => `${m(at)},${y(at)}`),
      ["year", "month"],
      "year+month",
      "2023-01-01T00",
    ],
    [
      "Mon,Jahr",
      days(30, 31, (at) => `${short(at)},${y(at)}`),
      ["Jahr", "Mon"],
      "year+month",
      "2023-01-01T00",
    ],
    ["a,b", days(30, 31, (at) => `${m(at)},${y(at)}`), ["b", "a"], "year+month", "2023-01-01T00"],
    [
      "quarter,year",
      days(9, 92, (at) => `${Math.ceil(m(at) / 3)},${y(at)}`),
      ["year", "quarter"],
      "year+quarter",
      "2023-01-01T00",
    ],
    [
      "q,y",
      days(9, 92, (at) => `Q${Math.ceil(m(at) / 3)},${y(at)}`),
      ["y", "q"],
      "year+quarter",
      "2023-01-01T00",
    ],
    [
      "KW,Jahr",
      Array.from({ length: 20 }, (_, row) => `KW ${row + 2},2023`),
      ["Jahr", "KW"],
      "year+week",
      "2023-01-09T00",
    ],
    [
      "day,month,year",
      days(300, 1, (at) => `${d(at)},${m(at)},${y(at)}`),
      ["year", "month", "day"],
      "year+month+day",
      "2023-01-05T00",
    ],
    [
      "day,month,year",
      days(6, 1, (at) => `${d(at)},${m(at)},${y(at)}`),
      ["year", "month", "day"],
      "year+month+day",
      "2023-01-05T00",
    ],
    [
      "year,day,month",
      days(6, 1, (at) => `${y(at)},${d(at)},${m(at)}`),
      ["year", "month", "day"],
      "year+month+day",
      "2023-01-05T00",
    ],
    [
      "a,b,c",
      days(60, 1, (at) => `${m(at)},${d(at)},${y(at)}`),
      ["c", "a", "b"],
      "year+month+day",
      "2023-01-05T00",
    ],
    [
      "hour,day,month,year",
      days(300, 1 / 24, (at) => `${at.getUTCHours()},${d(at)},${m(at)},${y(at)}`),
      ["year", "month", "day", "hour"],
      "year+month+day+hour",
      "2023-01-05T00",
    ],
    [
      "hour,date",
      days(300, 1 / 24, (at) => `${at.getUTCHours()},${at.toISOString().slice(0, 10)}`),
      ["date", "hour"],
      "iso",
      "2023-01-05T00",
    ],
  ])("%s", (names, rows, columns, format, first) => {
    expect(read(names, rows)).toMatchObject({ issues: [], columns, format, first });
  });

  it("keeps the documented order of columns whose names say nothing", () => {
    const rows = days(6, 1, (at) => `${y(at)},${m(at)},${d(at)}`);
    expect(read("a,b,c", rows)).toMatchObject({
      issues: [],
      columns: ["a", "b", "c"],
      last: "2023-01-10T00",
    });
  });

  it("asks once, with both readings, if days may be months", () => {
    const rows = days(7, 1, (at) => `${d(at)},${m(at)},${y(at)}`);
    const { issues } = read("a,b,c", rows);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ row: 1, column: "a", code: "ambiguous_date", value: "5 1 2023" });
    expect(issues[0]!.message).toContain("from the year down");
    expect(issues[0]!.choices).toMatchObject([
      { options: { timestamp: ["c", "a", "b"] }, cells: [{ reading: "2023-05-01" }] },
      { options: { timestamp: ["c", "b", "a"] }, cells: [{ reading: "2023-01-05" }] },
    ]);
    for (const { options } of issues[0]!.choices!) expect(read("a,b,c", rows, options).issues).toEqual([]);
  });

  it("leaves the order to the rows that are read", () => {
    const rows = ["Tag,Monat,Jahr", ...days(40, 1, (at) => `${d(at)},${m(at)},${y(at)}`)];
    expect(read("a,b,c", rows, { skipRows: [1] })).toMatchObject({ issues: [], columns: ["c", "b", "a"] });
  });
});
