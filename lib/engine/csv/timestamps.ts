import { dayMs } from "#lib/engine/time/day-ms";

export type DateOrder = "month-first" | "day-first";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const ISO = /^(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?(?:[T ](.+))?$/;
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
export type ClockTime = { ms: number; zoned: boolean };

/**
 * Reads ISO 8601: RFC 3339 with or without a zone, a blank for the T, a date, or a year and month. The separator may also
 * be a slash or a point, and the month and day may have one digit. `ms` is NaN for other texts.
 */
export function readIsoText(text: string): ClockTime {
  const plain = readPlainIso(text);
  if (plain !== null) return plain;
  const match = ISO.exec(text);
  if (match === null) return { ms: Number.NaN, zoned: false };
  const [, year, separator, month, date, time] = match;
  // 2018.1 may be a month, or a number.
  if (date === undefined && separator === "." && month!.length === 1) return { ms: Number.NaN, zoned: false };
  const day = dayMs(Number(year), Number(month), Number(date ?? 1));
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
 * Reads an integer time of a dataset whose format of times was not stored: a year, or seconds or milliseconds since
 * 1970. Seconds reach to the year 5138.
 */
export function readUnstoredNumber(text: string): number {
  const value = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isInteger(value) && value >= 1500 && value <= 2500) return dayMs(value, 1, 1);
  return Math.round(Math.abs(value) < 1e11 ? value * 1000 : value);
}

/** Writes a time for a message: a date, and the time of day unless it is midnight. */
export function timeText(ms: number): string {
  return Number.isNaN(ms) ? "–" : new Date(ms).toISOString().replace(/(T00:00:00)?\.000Z$/, "");
}
