import { describe, expect, it } from "vitest";
import type { NumericColumn } from "#lib/contract/table";
import { parseCsv } from "./parse.ts";

const DAY_MS = 86_400_000;
const two = (value: number) => String(value).padStart(2, "0");
const rows = (count: number, write: (row: number) => string) =>
  Array.from({ length: count }, (_, row) => write(row));
const dayOf = (row: number) => new Date(Date.UTC(2024, 0, 1) + row * DAY_MS).toISOString().slice(0, 10);
const months = (count: number, write: (year: number, month: number) => string) =>
  rows(count, (row) => write(2018 + Math.floor(row / 12), (row % 12) + 1));

function read(cells: readonly string[], name = "t") {
  const { issues, table, times } = parseCsv(
    [`${name},y`, ...cells.map((cell, row) => `${cell},${row % 7}`)].join("\n"),
    {
      timestamp: name,
    },
  );
  const { values } = table.columns[0] as NumericColumn;
  const dates = [...values.slice(0, 3)].map((ms) =>
    Number.isNaN(ms) ? null : new Date(ms).toISOString().slice(0, 10),
  );
  return { codes: [...new Set(issues.map(({ code }) => code))], issues, format: times?.format, dates };
}

describe("a column of times is read only if that is plausible for every value:", () => {
  it.each([
    [
      "hours from 1 to 24 are no seconds since 1970",
      rows(48, (row) => dayOf(row / 24).replaceAll("-", "") + two((row % 24) + 1)),
      "invalid_date",
    ],
    [
      "hours that begin with 24 are no seconds either",
      rows(48, (row) => dayOf(row / 24).replaceAll("-", "") + two(24 - (row % 24))),
      "not_a_timestamp",
    ],
    [
      "days of January without a year are no years",
      rows(31, (row) => `Jan-${two(row + 1)}`),
      "ambiguous_date",
    ],
    [
      "days of months without a year are no years",
      rows(60, (row) => `${["Jan", "Feb"][Math.floor(row / 31)]}-${two((row % 31) + 1)}`),
      "ambiguous_date",
    ],
    [
      "a 13th month makes no weeks",
      rows(39, (row) => `${2018 + Math.floor(row / 13)}${two((row % 13) + 1)}`),
      "ambiguous_date",
    ],
    [
      "days of one month with the year first, the day first or the month first",
      rows(12, (row) => `${two(row + 1)}0101`),
      "ambiguous_date",
    ],
    [
      "weeks of years with two digits are no years",
      rows(104, (row) => `${20 + Math.floor(row / 52)}${two((row % 52) + 1)}`),
      "ambiguous_date",
    ],
    [
      "months of one year, which may be its first weeks or an index",
      rows(12, (row) => `23${two(row + 1)}`),
      "ambiguous_date",
    ],
    ["weeks of one year, which may be an index", rows(52, (row) => `25${two(row + 1)}`), "ambiguous_date"],
    [
      "weeks of a year whose number is a year as well",
      rows(40, (row) => `18${two(row + 1)}`),
      "ambiguous_date",
    ],
    [
      "months and quarters from 1 to 4",
      rows(16, (row) => `${2018 + Math.floor(row / 4)}-${(row % 4) + 1}`),
      "ambiguous_date",
    ],
    [
      "months and quarters from 01 to 04",
      rows(16, (row) => `${2018 + Math.floor(row / 4)}0${(row % 4) + 1}`),
      "ambiguous_date",
    ],
  ])("%s", (_, cells, code) => {
    expect(read(cells).codes).toEqual([code]);
  });

  it.each([
    [
      "fiscal years with one digit behind",
      "t",
      rows(12, (row) => `${2001 + row}/${(row + 2) % 10}`),
      "fiscal-year",
      ["2001-01-01", "2002-01-01", "2003-01-01"],
    ],
    [
      "fiscal years with a dash of typography",
      "t",
      rows(12, (row) => `${2001 + row}–${two(row + 2)}`),
      "fiscal-year",
      ["2001-01-01", "2002-01-01", "2003-01-01"],
    ],
    [
      "weeks before the year",
      "t",
      rows(60, (row) => `${two((row % 52) + 1)}/${2021 + Math.floor(row / 52)}`),
      "week-year",
      ["2021-01-04", "2021-01-11", "2021-01-18"],
    ],
    [
      "few weeks, by the name of the column",
      "week",
      rows(12, (row) => `${two(row + 1)}/2021`),
      "week-year",
      ["2021-01-04", "2021-01-11", "2021-01-18"],
    ],
    [
      "few weeks behind the year, by the name of the column",
      "Woche",
      rows(12, (row) => `2021-${two(row + 1)}`),
      "week-year",
      ["2021-01-04", "2021-01-11", "2021-01-18"],
    ],
    [
      "weeks with their word",
      "t",
      rows(20, (row) => `KW ${row + 1} 2021`),
      "week-year",
      ["2021-01-04", "2021-01-11", "2021-01-18"],
    ],
    [
      "months before the year",
      "t",
      months(24, (year, month) => `${two(month)}/${year}`),
      "month-year",
      ["2018-01-01", "2018-02-01", "2018-03-01"],
    ],
    [
      "few months before the year",
      "t",
      months(12, (year, month) => `${two(month)}/${year}`),
      "month-year",
      ["2018-01-01", "2018-02-01", "2018-03-01"],
    ],
    [
      "months with one digit",
      "t",
      months(24, (year, month) => `${year}-${month}`),
      "iso",
      ["2018-01-01", "2018-02-01", "2018-03-01"],
    ],
    [
      "quarters, by the name of the column",
      "quarter",
      rows(16, (row) => `${2018 + Math.floor(row / 4)}-${(row % 4) + 1}`),
      "YYYYQ",
      ["2018-01-01", "2018-04-01", "2018-07-01"],
    ],
    [
      "months with names and years of two digits",
      "t",
      months(
        24,
        (year, month) =>
          `${["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]}-${year % 100}`,
      ),
      "month-name",
      ["2018-01-01", "2018-02-01", "2018-03-01"],
    ],
    [
      "the same in descending order",
      "t",
      months(
        24,
        (year, month) =>
          `${["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]}-${year % 100}`,
      ).reverse(),
      "month-name",
      ["2019-12-01", "2019-11-01", "2019-10-01"],
    ],
    [
      "days with the day first",
      "t",
      rows(60, (row) =>
        dayOf(row)
          .split("-")
          .reverse()
          .map((part) => part.slice(-2))
          .join(""),
      ),
      "DDMMYY",
      ["2024-01-01", "2024-01-02", "2024-01-03"],
    ],
    [
      "days of YYMMDD with gaps, in order",
      "t",
      rows(40, (row) =>
        dayOf(row * row)
          .slice(2)
          .replaceAll("-", ""),
      ),
      "YYMMDD",
      ["2024-01-01", "2024-01-02", "2024-01-05"],
    ],
    [
      "weeks of years with two digits, by the name of the column",
      "Woche",
      rows(52, (row) => `23${two(row + 1)}`),
      "YYWW",
      ["2023-01-02", "2023-01-09", "2023-01-16"],
    ],
    [
      "weeks of years with two digits that pass the end of a year",
      "t",
      rows(60, (row) => (row < 9 ? `24${row + 44}` : `25${two(row - 8)}`)),
      "YYWW",
      ["2024-10-28", "2024-11-04", "2024-11-11"],
    ],
    [
      "months of two digits that pass the end of a year",
      "t",
      rows(14, (row) => (row < 2 ? `24${row + 11}` : `25${two(row - 1)}`)),
      "YYMM",
      ["2024-11-01", "2024-12-01", "2025-01-01"],
    ],
    [
      "years that are weeks of 2020 as well, but not its first one",
      "t",
      rows(12, (row) => String(2013 + row)),
      "year",
      ["2013-01-01", "2014-01-01", "2015-01-01"],
    ],
    [
      "years until 2100",
      "t",
      rows(30, (row) => String(2071 + row)),
      "year",
      ["2071-01-01", "2072-01-01", "2073-01-01"],
    ],
  ])("%s", (_, name, cells, format, dates) => {
    expect(read(cells, name)).toMatchObject({ codes: [], format, dates });
  });

  it("asks if the name of the column is another period than its values", () => {
    expect(
      read(
        rows(52, (row) => String(1960 + row)),
        "week",
      ).codes,
    ).toEqual(["ambiguous_date"]);
    expect(
      read(
        rows(24, (row) => `${2018 + Math.floor(row / 12)}${two((row % 12) + 1)}`),
        "date",
      ).codes,
    ).toEqual([]);
  });
});

it("calls the choices by words of the page", () => {
  const labels = (cells: readonly string[]) => read(cells).issues[0]!.choices!.map(({ label }) => label);
  expect(labels(["1/2/2011", "3/4/2011"])).toEqual([
    "Month first, such as 3/31/2024",
    "Day first, such as 31.3.2024",
  ]);
  expect(labels(rows(12, (row) => `2020${two(row + 1)}`))).toEqual([
    "Months, such as 202403",
    "Weeks, such as 202413",
  ]);
  expect(labels(rows(8, (row) => `${2018 + Math.floor(row / 4)}-${(row % 4) + 1}`))).toEqual([
    "Months or times, such as 2024-03-31",
    "Quarters, such as 20241",
  ]);
});

it("shows each reading of numbers with two digits of the year on cells of the file", () => {
  const readings = (cells: readonly string[]) =>
    read(cells).issues[0]!.choices!.map(({ options, cells }) => ({ ...options, second: cells[1]!.reading }));
  expect(readings(rows(12, (row) => `23${two(row + 1)}`))).toEqual([
    { timestampFormat: "year", second: "2302-01-01" },
    { timestampFormat: "YYMM", second: "2023-02-01" },
    { timestampFormat: "YYWW", second: "2023-01-09" },
    { timestamp: null, second: "position 2302" },
  ]);
  expect(readings(rows(52, (row) => `23${two(row + 1)}`))).toEqual([
    { timestampFormat: "year", second: "2302-01-01" },
    { timestampFormat: "YYWW", second: "2023-01-09" },
    { timestamp: null, second: "position 2302" },
  ]);
});

it.each([
  ["2024-01", "2024-02"],
  ["202401", "202402"],
  ["Jan 2024", "Feb 2024"],
  ["2024Q1", "2024Q2"],
])("takes no column for the hours of a month or quarter: %s", (first, second) => {
  const file = ["t,n,y", ...rows(40, (row) => `${row < 20 ? first : second},${(row % 20) + 1},${row}`)].join(
    "\n",
  );
  const { issues } = parseCsv(file, { timestamp: ["t", "n"] });
  const [issue] = issues.filter(({ code }) => code !== "ambiguous_date");
  expect(issue).toMatchObject({ row: 1, column: "n", code: "invalid_hour" });
  expect(issue!.message).toContain('"t" names no day');
});

it("names an impossible date of the column's form as such, not as notes below the table", () => {
  for (const [valid, wrong] of [
    ["2020-W52", "2021-W53"],
    ["28 Feb 2021", "29 Feb 2021"],
    ["2020-Q4", "2020-Q5"],
  ] as const) {
    const [issue] = read([valid, wrong]).issues;
    expect(issue).toMatchObject({ row: 2, value: wrong, code: "invalid_date" });
    expect(issue!.message).not.toContain("notes");
  }
});

it("lists the accepted forms once for each column", () => {
  const { issues } = read(["soon", "later", "never"]);
  expect(issues.filter(({ message }) => message.includes("Accepted forms"))).toHaveLength(1);
});
