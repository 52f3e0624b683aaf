import { inRequest } from "./csv-entry-points.ts";
import { encode } from "./write-dialect.ts";

export const two = (value: number) => String(value).padStart(2, "0");
export const iso = (ms: number) => new Date(ms).toISOString();
const DAY_MS = 86_400_000;

/** Times at a step, and the cells that write each of them. */
export type TimeCase = {
  format: string;
  columns?: string[];
  frequency: string;
  at: (row: number) => number;
  write: (at: Date) => string;
  options?: object;
};

const months = (row: number) => Date.UTC(2018, row, 1);
const days = (row: number) => Date.UTC(2020, 0, 20) + row * DAY_MS;
const hours = (row: number) => Date.UTC(2024, 0, 1, row);
const quarters = (row: number) => Date.UTC(2005, 3 * row, 1);
/** Mondays. */
const weeks = (row: number) => Date.UTC(2018, 0, 1) + row * 7 * DAY_MS;
const ymd = (at: Date) => iso(at.getTime()).slice(0, 10).replaceAll("-", "");
const isoWeek = (at: Date) => {
  const thursday = new Date(at.getTime() + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1 };
};
const named = (locale: string, month: "short" | "long") => (at: Date) =>
  `"${at.toLocaleDateString(locale, { day: "numeric", month, year: "numeric", timeZone: "UTC" })}"`;
const month = { frequency: "P1M", at: months };
const day = { frequency: "P1D", at: days };

/** Formats that a dataset recognises. */
export const timeCases: TimeCase[] = [
  { format: "YYYYMM", ...month, write: (at) => ymd(at).slice(0, 6) },
  { format: "YYMM", ...month, write: (at) => ymd(at).slice(2, 6) },
  { format: "month-year", ...month, write: (at) => `${two(at.getUTCMonth() + 1)}.${at.getUTCFullYear()}` },
  { format: "month-year", ...month, write: (at) => `${at.getUTCMonth() + 1}/${at.getUTCFullYear()}` },
  {
    format: "decimal-year",
    ...month,
    write: (at) => (at.getUTCFullYear() + (at.getUTCMonth() + 0.5) / 12).toFixed(4),
  },
  {
    format: "decimal-year",
    ...month,
    write: (at) => (at.getUTCFullYear() + at.getUTCMonth() / 12).toFixed(3),
  },
  { format: "iso", ...month, write: (at) => `${at.getUTCFullYear()}M${two(at.getUTCMonth() + 1)}` },
  { format: "iso", ...month, write: (at) => `${at.getUTCFullYear()}/${two(at.getUTCMonth() + 1)}` },
  ...["en-US", "de-DE", "fr-FR", "es-ES", "it-IT", "pt-PT", "nl-NL"].map(
    (locale): TimeCase => ({ format: "month-name", ...day, write: named(locale, "long") }),
  ),
  { format: "month-name", ...day, write: named("en-US", "short") },
  { format: "month-name", ...day, write: (at) => named("en-GB", "short")(at).replaceAll(" ", "-") },
  { format: "YYMMDD", ...day, write: (at) => ymd(at).slice(2) },
  { format: "YYYYMMDD", ...day, write: ymd },
  {
    format: "DDMMYYYY",
    ...day,
    write: (at) => `${ymd(at).slice(6)}${ymd(at).slice(4, 6)}${ymd(at).slice(0, 4)}`,
  },
  {
    format: "iso",
    ...day,
    write: (at) => `${at.getUTCFullYear()}-${at.getUTCMonth() + 1}-${at.getUTCDate()}`,
  },
  { format: "iso", ...day, write: (at) => iso(at.getTime()).slice(0, 10).replaceAll("-", ".") },
  { format: "month-day-year", ...day, write: (at) => `${at.getUTCMonth() + 1}/${at.getUTCDate()}/20` },
  {
    format: "day-month-year",
    ...day,
    write: (at) => `${two(at.getUTCDate())}.${two(at.getUTCMonth() + 1)}.20`,
  },
  { format: "YYYYMMDDHH", frequency: "PT1H", at: hours, write: (at) => ymd(at) + two(at.getUTCHours()) },
  {
    format: "YYYYMMDDHHMI",
    frequency: "PT10M",
    at: (row) => Date.UTC(2022, 0, 18) + row * 600_000,
    write: (at) => ymd(at) + two(at.getUTCHours()) + two(at.getUTCMinutes()),
  },
  { format: "epoch-seconds", frequency: "PT1H", at: hours, write: (at) => String(at.getTime() / 1000) },
  { format: "epoch-milliseconds", frequency: "PT1H", at: hours, write: (at) => String(at.getTime()) },
  {
    format: "YYYYWW",
    frequency: "P7D",
    at: weeks,
    write: (at) => `${isoWeek(at).year}${two(isoWeek(at).week)}`,
  },
  {
    format: "YYWW",
    frequency: "P7D",
    at: (row) => weeks(row + 340),
    write: (at) => `${two(isoWeek(at).year % 100)}${two(isoWeek(at).week)}`,
  },
  {
    format: "week-year",
    frequency: "P7D",
    at: weeks,
    write: (at) => `${two(isoWeek(at).week)}/${isoWeek(at).year}`,
  },
  { format: "fiscal-year", frequency: "P1Y", at: (row) => Date.UTC(1960 + row, 0, 1), write: fiscal },
  {
    format: "year+month",
    columns: ["year", "month"],
    ...month,
    write: (at) => `${at.getUTCFullYear()},${at.getUTCMonth() + 1}`,
  },
  {
    format: "year+quarter",
    columns: ["Jahr", "Quartal"],
    frequency: "P3M",
    at: quarters,
    write: (at) => `${at.getUTCFullYear()},${Math.floor(at.getUTCMonth() / 3) + 1}`,
  },
  {
    format: "year+week",
    columns: ["year", "week"],
    frequency: "P7D",
    at: weeks,
    write: (at) => `${isoWeek(at).year},${isoWeek(at).week}`,
  },
  {
    format: "year+month+day",
    columns: ["YY", "m", "d"],
    ...day,
    write: (at) => `${at.getUTCFullYear()},${at.getUTCMonth() + 1},${at.getUTCDate()}`,
  },
  {
    format: "year+month+day+hour",
    columns: ["YEAR", "MO", "DY", "HR"],
    frequency: "PT1H",
    at: hours,
    write: (at) => `${at.getUTCFullYear()},${at.getUTCMonth() + 1},${at.getUTCDate()},${at.getUTCHours()}`,
  },
];

function fiscal(at: Date): string {
  return `${at.getUTCFullYear()}-${two((at.getUTCFullYear() + 1) % 100)}`;
}

/** Returns a file of the rows in a range. */
export const fileOf = ({ at, write, columns = ["t"] }: TimeCase, from: number, to: number) => {
  const lines = Array.from({ length: to - from }, (_, row) => {
    const time = new Date(at(from + row));
    return `${write(time)},${100 + ((from + row) % 7)}`;
  });
  return inRequest(encode([`${columns.join(",")},y`, ...lines].join("\n"), "utf-8"));
};

/** Formats that are read by an option, or that other tests cover for datasets. */
export const askedTimes: TimeCase[] = [
  {
    format: "DDMMYY",
    ...day,
    write: (at) => `${ymd(at).slice(6)}${ymd(at).slice(4, 6)}${ymd(at).slice(2, 4)}`,
  },
  { format: "MMDDYY", ...day, write: (at) => `${ymd(at).slice(4)}${ymd(at).slice(2, 4)}` },
  {
    format: "YYYYMMDDHHMI",
    frequency: "PT1H",
    at: hours,
    write: (at) => `${ymd(at)}${two(at.getUTCHours())}00`,
  },
  {
    format: "YY-MM-DD",
    ...day,
    write: (at) => `${ymd(at).slice(2, 4)}/${ymd(at).slice(4, 6)}/${ymd(at).slice(6)}`,
  },
  {
    format: "year",
    frequency: "P1Y",
    at: (row) => Date.UTC(1940 + row, 0, 1),
    write: (at) => `${at.getUTCFullYear()}`,
  },
  {
    format: "YYYYQ",
    frequency: "P3M",
    at: quarters,
    write: (at) => `${at.getUTCFullYear()}${quarterOf(at)}`,
  },
  {
    format: "YYYYDDD",
    ...day,
    write: (at) => `${at.getUTCFullYear()}${String(dayOfYear(at)).padStart(3, "0")}`,
  },
  { format: "MMDDYYYY", ...day, write: (at) => `${ymd(at).slice(4)}${ymd(at).slice(0, 4)}` },
  {
    format: "YYYYMMDDHHMISS",
    frequency: "PT1H",
    at: hours,
    write: (at) => `${ymd(at)}${two(at.getUTCHours())}0000`,
  },
  { format: "spreadsheet-days", ...day, write: (at) => String(at.getTime() / DAY_MS + 25_569) },
  { format: "YYYYWW-US", frequency: "P7D", at: sundays, write: (at) => usWeek(at).replace(",", "") },
  { format: "year+week-US", columns: ["year", "week"], frequency: "P7D", at: sundays, write: usWeek },
  {
    format: "year+day-of-year",
    columns: ["year", "doy"],
    ...day,
    write: (at) => `${at.getUTCFullYear()},${dayOfYear(at)}`,
  },
];

function quarterOf(at: Date): number {
  return Math.floor(at.getUTCMonth() / 3) + 1;
}

function dayOfYear(at: Date): number {
  return (at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / DAY_MS + 1;
}

function sundays(row: number): number {
  return weeks(row) - DAY_MS;
}

/** Returns year and week of the US: the week belongs to the year of its Wednesday. */
function usWeek(at: Date): string {
  const wednesday = at.getTime() + 3 * DAY_MS;
  const year = new Date(wednesday).getUTCFullYear();
  return `${year},${two(Math.floor((wednesday - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1)}`;
}
