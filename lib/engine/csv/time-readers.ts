import { dayMs } from "#lib/engine/time/day-ms";
import { monthNumber } from "#lib/engine/time/month-names";
import { type ClockTime, readIsoText, timeOfDayMs } from "./timestamps.ts";

const DAY_MS = 86_400_000;

/**
 * Parts of patterns. Each letter of a format's pattern stands for a group of digits with that name; N is the name of a
 * month, and T a time of day that may follow.
 */
const PARTS: Record<string, string> = {
  YYYY: "(?<y>\\d{4})",
  YY: "(?<yy>\\d{2})",
  Y: "(?:(?<y>\\d{4})|(?<yy>\\d{2}))",
  MM: "(?<m>\\d{2})",
  M: "(?<m>\\d{1,2})",
  N: "(?<n>\\p{L}{3,10}\\.?)",
  DDD: "(?<o>\\d{3})",
  O: "(?<o>\\d{1,3})",
  DD: "(?<d>\\d{2})",
  D: "(?<d>\\d{1,2})",
  Q: "(?<q>[1-4])",
  WW: "(?<w>\\d{2})",
  W: "(?<w>\\d{1,2})",
  HH: "(?<h>\\d{2})",
  MI: "(?<mi>\\d{2})",
  SS: "(?<s>\\d{2})",
  T: "(?:,?[T ]\\s*(?<t>\\d.*))?",
};

/** Compiles a pattern: `{M}/{D}` and regular expressions between the parts. */
const pattern = (source: string) =>
  new RegExp(`^${source.replace(/\{([A-Z]+)\}/g, (whole, part: string) => PARTS[part] ?? whole)}$`, "iu");

type Groups = Record<string, string | undefined>;

/** Two-digit years from here on are in the 20th century, as POSIX reads them. */
const CENTURY_PIVOT = 69;

function yearOf({ y, yy }: Groups): number {
  if (y !== undefined) return Number(y);
  return Number(yy) + (Number(yy) >= CENTURY_PIVOT ? 1900 : 2000);
}

/**
 * Returns the first day of a week, or NaN if the year has no such week. The first week has at least four days of the year.
 * It begins on a Monday (ISO 8601), or on a Sunday (epidemiological weeks of the US).
 */
function weekMs(year: number, week: number, isUs: boolean): number {
  const first = (of: number) => {
    const fourth = dayMs(of, 1, 4);
    return fourth - ((((fourth / DAY_MS + (isUs ? 4 : 3)) % 7) + 7) % 7) * DAY_MS;
  };
  const start = first(year) + (week - 1) * 7 * DAY_MS;
  return week >= 1 && start < first(year + 1) ? start : Number.NaN;
}

/** Returns the clock time of the parts that a pattern found, or NaN if there is no such time. */
function momentOf(groups: Groups, isUs = false): number {
  const { m, n, d, o, q, w, h, mi, s, t } = groups;
  const year = yearOf(groups);
  if (w !== undefined) return weekMs(year, Number(w), isUs);
  const month =
    m !== undefined ? Number(m) : n !== undefined ? monthNumber(n) : q !== undefined ? 3 * Number(q) - 2 : 1;
  const first = dayMs(year, month, d === undefined ? 1 : Number(d));
  const day = o === undefined ? first : dayOfYearMs(year, Number(o));
  if (t !== undefined) return day + timeOfDayMs(t.trimEnd());
  return h === undefined ? day : day + timeOfDayMs([h, mi ?? "00", s ?? "00"].join(":"));
}

function dayOfYearMs(year: number, day: number): number {
  const at = dayMs(year, 1, 1) + (day - 1) * DAY_MS;
  return day >= 1 && at < dayMs(year + 1, 1, 1) ? at : Number.NaN;
}

/** Returns a reader of texts that match one of the patterns. */
export function matcher(...sources: string[]) {
  const patterns = sources.map(pattern);
  const read = (text: string, isUs: boolean): number => {
    for (const one of patterns) {
      const groups = one.exec(text)?.groups;
      if (groups !== undefined) return momentOf(groups, isUs);
    }
    return Number.NaN;
  };
  // Consecutive rows often have the same date: the hours of a day, or many products. Such files are read in two thirds of the time.
  let last = { text: "", isUs: false, ms: Number.NaN };
  return (text: string, isUs = false): number => {
    if (text !== last.text || isUs !== last.isUs) last = { text, isUs, ms: read(text, isUs) };
    return last.ms;
  };
}

const FIRST_COMPACT = dayMs(1900, 1, 1) - 7 * DAY_MS;
const LAST_COMPACT = dayMs(2101, 1, 1);

/** Returns a reader of digits without separators. Only years from 1900 to 2100 count. */
export function compact(source: string, isUs = false) {
  const read = matcher(source);
  return (text: string) => {
    const ms = read(text, isUs);
    return ms >= FIRST_COMPACT && ms < LAST_COMPACT ? ms : Number.NaN;
  };
}

const FIRST_EPOCH = dayMs(1990, 1, 1);
/** Numbers since 1970 in any unit: whole, or with a fraction. */
const EPOCH = /^\d{9,13}(?:[.,]\d+)?$/;

/** Returns a reader of numbers since 1970, from 1990 to 2100. */
export const epoch = (unitMs: number) => (text: string) => {
  if (!EPOCH.test(text)) return Number.NaN;
  const ms = Math.round(Number(text.replace(",", ".")) * unitMs);
  return ms >= FIRST_EPOCH && ms < LAST_COMPACT ? ms : Number.NaN;
};

const DECIMAL_YEAR = /^(\d{4})(?:[.,](\d+))?$/;

/** Returns the month of a year with decimals that stand for the start or the middle of a month: 2018.0417 is January. */
export function decimalYear(text: string): number {
  const match = DECIMAL_YEAR.exec(text);
  if (match === null) return Number.NaN;
  const digits = match[2] ?? "";
  const months = Number(`0.${digits || "0"}`) * 12;
  const tolerance = digits.length < 2 ? 1e-9 : 7.2 * 10 ** -digits.length + 1e-9;
  const start = Math.round(months);
  const middle = Math.floor(months);
  const isStart = Math.abs(months - start) <= tolerance;
  if (!isStart && Math.abs(months - middle - 0.5) > tolerance) return Number.NaN;
  // 9602 is no year.
  if (Number(match[1]) < 1500 || Number(match[1]) > 2100) return Number.NaN;
  const month = isStart ? start : middle;
  return dayMs(Number(match[1]) + Math.floor(month / 12), (month % 12) + 1, 1);
}

const FISCAL = /^(\d{4})[-/\u2013](\d{1,2}|\d{4})$/;

/** Returns the first year of a span of two, such as 2000-01, 2000/1 or 2000/2001. */
export function fiscalYear(text: string): number {
  const match = FISCAL.exec(text);
  if (match === null) return Number.NaN;
  const [year, end] = [Number(match[1]), match[2]!];
  return Number(end) === (year + 1) % 10 ** end.length ? dayMs(year, 1, 1) : Number.NaN;
}

export function spreadsheetDay(text: string): number {
  const value = /^\d{5}(?:[.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
  return value >= 20_000 && value < 80_000 ? Math.round((value - 25_569) * 86_400) * 1000 : Number.NaN;
}

export const SEPARATOR = "(?<sep>[/.-])";
const WEEKDAY = "(?:\\p{L}{2,10}\\.?,? )?";
const DAY_OF_NAME = "{D}(?:st|nd|rd|th|er|º|\\.)?";
export const namedMonth = matcher(
  `${WEEKDAY}{N} ${DAY_OF_NAME},? {YYYY}{T}`,
  `${WEEKDAY}${DAY_OF_NAME}(?:[-/ ]| de | )?{N}(?:[-/ ]| de |, )?{YYYY}{T}`,
  `${WEEKDAY}${DAY_OF_NAME}[-/ ]{N}[-/ ]{YY}{T}`,
  "{YYYY}[-/ ]?{N}(?:[-/ ]{D})?{T}",
  "{N}(?:[-/ ]| de )?{YYYY}",
  "{N}-{YY}",
);

const yearFirst = matcher(
  "{YYYY}M{M}",
  "{YYYY}[- /]?[QT]{Q}",
  "[QT]{Q}[- /]?{YYYY}",
  "{YYYY}-?W{WW}",
  "{YYYY}-?W{WW}-?1",
);

/** Reads ISO 8601, and weeks (`2015-W05`), quarters (`2020Q1`, `Q1 2020`) and months (`2020M01`) as their first day. */
export function readIso(text: string): ClockTime {
  const time = readIsoText(text);
  return Number.isNaN(time.ms) ? { ms: yearFirst(text), zoned: false } : time;
}

const WEEK = "(?:W|KW|week|woche|semaine|semana|settimana) ?{W}";
export const weekYear = matcher(
  "{W}[-/ ]{YYYY}",
  "{YYYY}[-/ ]{W}",
  `${WEEK}[-/., ]*{YYYY}`,
  `{YYYY}[-/., ]*${WEEK}`,
);

export const joinedWeek = matcher("{YYYY} (?:W|KW)? ?{W}");
