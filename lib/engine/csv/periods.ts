import { dayMs } from "./day-ms.ts";

const DAY_MS = 86_400_000;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const FULL_MONTHS = [
  ...["january", "february", "march", "april", "may", "june", "july"],
  ...["august", "september", "october", "november", "december"],
];

const QUARTER = /^(\d{4})[- ]?Q([1-4])$/i;
const QUARTER_FIRST = /^Q([1-4])[- /]?(\d{4})$/i;
const WEEK = /^(\d{4})-?W(\d{2})$/i;
/** Two-digit years need a dash, as spreadsheets write them: `May 20` may be a day. */
const MONTH_FIRST = /^([a-z]{3,9})(?:\.?[- /]?(\d{4})|-(\d{2}))$/i;
const YEAR_FIRST = /^(\d{4})[- /]?([a-z]{3,9})\.?$/i;
/** Two-digit years from here on are in the 20th century, as POSIX reads them. */
const CENTURY_PIVOT = 69;

/**
 * Returns the first day of a quarter (`2020Q1`, `Q1 2020`), an ISO 8601 week (`2015-W05`) or a month with its English
 * name (`Jan-10`, `January 2010`, `2010 Jan`), in epoch milliseconds at 00:00 UTC. NaN for other texts.
 */
export function readPeriod(text: string): number {
  const quarter = QUARTER.exec(text);
  if (quarter) return dayMs(Number(quarter[1]), 3 * Number(quarter[2]) - 2, 1);
  const quarterFirst = QUARTER_FIRST.exec(text);
  if (quarterFirst) return dayMs(Number(quarterFirst[2]), 3 * Number(quarterFirst[1]) - 2, 1);
  const week = WEEK.exec(text);
  if (week) return weekMs(Number(week[1]), Number(week[2]));
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return dayMs(fullYear(monthFirst[2] ?? monthFirst[3]!), monthNumber(monthFirst[1]!), 1);
  const yearFirst = YEAR_FIRST.exec(text);
  return yearFirst ? dayMs(Number(yearFirst[1]), monthNumber(yearFirst[2]!), 1) : Number.NaN;
}

/** Returns the Monday of an ISO 8601 week, or NaN if the year has no such week. */
function weekMs(year: number, week: number): number {
  const monday = firstMonday(year) + (week - 1) * 7 * DAY_MS;
  return week >= 1 && monday < firstMonday(year + 1) ? monday : Number.NaN;
}

/** Returns the Monday of a year's first ISO week: the week of 4 January. */
function firstMonday(year: number): number {
  const fourth = dayMs(year, 1, 4);
  const daysSinceMonday = (((fourth / DAY_MS + 3) % 7) + 7) % 7;
  return fourth - daysSinceMonday * DAY_MS;
}

function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year + (year >= CENTURY_PIVOT ? 1900 : 2000);
}

/** Returns 1 to 12 for an English month name or its first three letters, or 0. */
function monthNumber(name: string): number {
  const lower = name.toLowerCase();
  return (lower.length === 3 ? MONTHS : FULL_MONTHS).indexOf(lower) + 1;
}
