import { zoneOffset } from "./timezones.ts";

/** Fields of a local date and time. Weekdays count from 1 (Monday), ISO 8601. */
export const CALENDAR_FIELDS = [
  "minuteOfDay",
  "hour",
  "hourOfWeek",
  "weekday",
  "dayOfMonth",
  "dayOfYear",
  "weekOfYear",
  "month",
  "quarter",
  "year",
] as const;

export type CalendarField = (typeof CALENDAR_FIELDS)[number];

/** Names of the fields for people. */
export const FIELD_NAMES: Record<CalendarField, string> = {
  minuteOfDay: "time of day",
  hour: "hour of day",
  hourOfWeek: "hour of week",
  weekday: "day of week",
  dayOfMonth: "day of month",
  dayOfYear: "day of year",
  weekOfYear: "week of year",
  month: "month",
  quarter: "quarter",
  year: "year",
};

/** First value and number of values of each cyclic field. A year is not cyclic. */
export const FIELD_CYCLE: Record<Exclude<CalendarField, "year">, { first: number; count: number }> = {
  minuteOfDay: { first: 0, count: 1440 },
  hour: { first: 0, count: 24 },
  hourOfWeek: { first: 0, count: 168 },
  weekday: { first: 1, count: 7 },
  dayOfMonth: { first: 1, count: 31 },
  dayOfYear: { first: 1, count: 366 },
  weekOfYear: { first: 1, count: 53 },
  month: { first: 1, count: 12 },
  quarter: { first: 1, count: 4 },
};

const DAY_MS = 86_400_000;

/** Returns one field of each instant (epoch milliseconds) in the zone's local calendar. NaN stays NaN. */
export function calendarValues(instants: Float64Array, field: CalendarField, timezone: string): Float64Array {
  return instants.map(localReader(READERS[field], timezone));
}

/** Returns a reader of an instant's local date, which it passes on as the UTC fields of a `Date`. NaN stays NaN. */
export function localReader(read: (date: Date) => number, timezone: string): (instant: number) => number {
  const offset = zoneOffset(timezone);
  const local = new Date(0);
  return (instant) => {
    if (!Number.isFinite(instant)) return Number.NaN;
    // Floored, because `Date` truncates.
    local.setTime(Math.floor(instant + offset(instant)));
    return read(local);
  };
}

/** Returns the proleptic Gregorian date of a local time. */
export function civilDate(wallMs: number): { year: number; month: number; day: number } {
  const date = new Date(Math.floor(wallMs));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Returns the day of the week, 1 (Monday) to 7. */
const weekday = (date: Date) => date.getUTCDay() || 7;

function dayOfYear(date: Date): number {
  const firstDay = new Date(0).setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - firstDay) / DAY_MS) + 1;
}

/** A week of ISO 8601 belongs to the year of its Thursday. */
function weekOfYear(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - weekday(date)) * DAY_MS);
  return Math.floor((dayOfYear(thursday) - 1) / 7) + 1;
}

/** Reads a field of a date whose UTC fields are those of the local time. */
export const READERS: Record<CalendarField, (date: Date) => number> = {
  minuteOfDay: (date) => date.getUTCHours() * 60 + date.getUTCMinutes(),
  hour: (date) => date.getUTCHours(),
  hourOfWeek: (date) => (weekday(date) - 1) * 24 + date.getUTCHours(),
  weekday,
  dayOfMonth: (date) => date.getUTCDate(),
  dayOfYear,
  weekOfYear,
  month: (date) => date.getUTCMonth() + 1,
  quarter: (date) => Math.floor(date.getUTCMonth() / 3) + 1,
  year: (date) => date.getUTCFullYear(),
};
