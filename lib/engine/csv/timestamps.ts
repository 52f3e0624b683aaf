import { dayMs } from "./day-ms.ts";
import { readPeriod } from "./periods.ts";

/**
 * Format of a column's times. `month-day-year` stands for every date with the year last, with slashes, points or
 * dashes, until all rows are read. The whole column decides which of the first two numbers is the month.
 */
export type TimestampFormat =
  | "iso"
  | "month-day-year"
  | "day-month-year"
  | "year"
  | "epoch-seconds"
  | "epoch-milliseconds";

export type DateOrder = "month-first" | "day-first";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const ISO = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|\/(\d{1,2})\/(\d{1,2}))(?:[T ](.+))?$/;
const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,?[T ](.+))?$/;
const TIME = /^(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?([ap]m)?$/i;
const ZONE = /(Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Returns the milliseconds of a time of day (`7`, `07:30`, `07:30:15.5`, `7:30 PM`), or NaN. 24:00 is invalid. */
export function timeOfDayMs(text: string): number {
  const match = TIME.exec(text);
  if (match === null) return Number.NaN;
  let hour = Number(match[1]);
  const minute = Number(match[2] ?? 0);
  const second = Number(match[3] ?? 0);
  const half = match[5]?.toLowerCase();
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return Number.NaN;
    hour = (hour % 12) + (half === "pm" ? 12 : 0);
  }
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const fraction = match[4] === undefined ? 0 : Math.floor(Number(`0.${match[4]}`) * 1000);
  return hour * HOUR_MS + minute * MINUTE_MS + second * 1000 + fraction;
}

/** Returns whether the year has four digits. The database driver misreads years before 100. */
export function isWithinYears(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS;
}

const FIRST_MS = -30_610_224_000_000;
const LAST_MS = 253_402_300_799_999;

/** A time as written: clock time, and whether the text includes its zone (`ms` is then epoch milliseconds). */
type ClockTime = { ms: number; zoned: boolean };

/**
 * Reads ISO 8601: RFC 3339 with or without a zone, a blank for the T, a date, a year and month, or slashes. Also reads
 * the first day of a week, quarter or named month (`readPeriod`).
 */
export function readIso(text: string): ClockTime {
  const plain = readPlainIso(text);
  if (plain !== null) return plain;
  const match = ISO.exec(text);
  if (match === null) return { ms: readPeriod(text), zoned: false };
  const day = dayMs(Number(match[1]), Number(match[2] ?? match[4]), Number(match[3] ?? match[5] ?? 1));
  const time = match[6];
  if (time === undefined) return { ms: day, zoned: false };
  const zone = ZONE.exec(time);
  const clock = zone === null ? time : time.slice(0, zone.index).trimEnd();
  const ms = day + timeOfDayMs(clock);
  if (zone === null) return { ms, zoned: false };
  return { ms: ms - zoneOffsetMs(zone[1]!), zoned: true };
}

/**
 * Reads the most frequent formats without a regular expression: `2024-03-31`, optionally with ` 14:00`, `T14:00:00` or
 * `T14:00:00.000`, and then `Z` or `+02:00`. Returns null for every other text.
 */
function readPlainIso(text: string): ClockTime | null {
  const { length } = text;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return null;
  const day = dayMs(twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8));
  if (length === 10) return Number.isNaN(day) ? null : { ms: day, zoned: false };
  const parting = text.charCodeAt(10);
  if ((parting !== 84 && parting !== 32) || text.charCodeAt(13) !== COLON) return null;
  const hasSeconds = text.charCodeAt(16) === COLON;
  const seconds = hasSeconds ? twoDigits(text, 17) : 0;
  const hasFraction = hasSeconds && text.charCodeAt(19) === POINT;
  const thousandths = hasFraction ? twoDigits(text, 20) * 10 + (twoDigits(text, 21) % 10) : 0;
  if (seconds > 59) return null;
  const end = hasFraction ? 23 : hasSeconds ? 19 : 16;
  const ms = day + hoursMs(text, 11) + seconds * 1000 + thousandths - plainOffset(text, end);
  return Number.isNaN(ms) ? null : { ms, zoned: length > end };
}

/**
 * Returns the offset from UTC in milliseconds at the end of a text: nothing, `Z` or `+02:00`. NaN for anything else.
 */
function plainOffset(text: string, at: number): number {
  const { length } = text;
  const mark = text.charCodeAt(at);
  if (length === at || (length === at + 1 && mark === 90)) return 0;
  if (length !== at + 6 || text.charCodeAt(at + 3) !== COLON) return Number.NaN;
  if (mark !== PLUS && mark !== DASH) return Number.NaN;
  return mark === PLUS ? hoursMs(text, at + 1) : -hoursMs(text, at + 1);
}

const PLUS = 43;
const DASH = 45;
const POINT = 46;
const COLON = 58;

/** Returns the milliseconds of two-digit hours and minutes around a separator, or NaN. */
function hoursMs(text: string, at: number): number {
  const hour = twoDigits(text, at);
  const minute = twoDigits(text, at + 3);
  return hour > 23 || minute > 59 ? Number.NaN : hour * HOUR_MS + minute * MINUTE_MS;
}

/** Returns the number of two digits, or NaN. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const units = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : Number.NaN;
}

function zoneOffsetMs(zone: string): number {
  if (zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith("-") ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

/**
 * Packs a date with the year last into one exact float64: year, first number, second number, time of day. Its month is
 * known only after the whole column is read. Returns NaN if the text is not such a date.
 */
export function packYearLast(text: string): number {
  const match = YEAR_LAST.exec(text);
  if (match === null || match[4] === "0000") return Number.NaN;
  const time = match[5] === undefined ? 0 : timeOfDayMs(match[5]);
  return ((Number(match[4]) * 100 + Number(match[1])) * 100 + Number(match[3])) * DAY_MS + time;
}

/** Returns the parts that `packYearLast` packed. */
export function unpackYearLast(packed: number): {
  year: number;
  first: number;
  second: number;
  timeMs: number;
} {
  const date = Math.floor(packed / DAY_MS);
  return {
    year: Math.floor(date / 10_000),
    first: Math.floor(date / 100) % 100,
    second: date % 100,
    timeMs: packed - date * DAY_MS,
  };
}

/** Returns the clock time of a packed date in an order, or NaN if the day does not exist. */
export function yearLastMs(packed: number, order: DateOrder): number {
  const { year, first, second, timeMs } = unpackYearLast(packed);
  return (order === "month-first" ? dayMs(year, first, second) : dayMs(year, second, first)) + timeMs;
}

/**
 * Returns the format of an integer time: a year, or seconds or milliseconds since 1970. Seconds reach to the year
 * 5138. Returns null for dates without separators (20240131) and for spreadsheet day numbers (45322), which would
 * otherwise count as seconds in 1970.
 */
export function numericTimeFormat(value: number): TimestampFormat | null {
  if (Number.isInteger(value) && value >= 1500 && value <= 2500) return "year";
  if (compactDate(value) !== null || spreadsheetDate(value) !== null) return null;
  return Math.abs(value) < 1e11 ? "epoch-seconds" : "epoch-milliseconds";
}

/** Returns `2024-01-31` for 20240131, or null if the number is not a day from 1900 to 2100. */
export function compactDate(value: number): string | null {
  if (!Number.isInteger(value) || value < 19_000_101 || value > 21_001_231) return null;
  const [year, month, day] = [Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100];
  const ms = dayMs(year, month, day);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().slice(0, 10);
}

/** Returns `2024-01-31` for 45322, the spreadsheet's days since the end of 1899. Null outside 1954 to 2119. */
export function spreadsheetDate(value: number): string | null {
  if (!(value >= 20_000 && value < 80_000)) return null;
  const iso = new Date(Math.round((value - 25_569) * 86_400) * 1000).toISOString();
  return Number.isInteger(value) ? iso.slice(0, 10) : iso.slice(0, 19);
}

/** Returns the epoch milliseconds of a numeric time. */
export function numericTimeMs(value: number, format: TimestampFormat): number {
  if (format === "year") return Number.isInteger(value) ? dayMs(value, 1, 1) : Number.NaN;
  return Math.round(format === "epoch-seconds" ? value * 1000 : value);
}

/** Returns whether a text looks like a written date or time. Epoch numbers do not count. */
export function looksLikeTime(text: string): boolean {
  return !Number.isNaN(readIso(text).ms) || !Number.isNaN(packYearLast(text));
}
