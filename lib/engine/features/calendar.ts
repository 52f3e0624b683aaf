import { zoneOffset } from "#lib/engine/csv/timezones";

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

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Returns one field of each instant (epoch milliseconds) in the zone's local calendar. NaN stays NaN. */
export function calendarValues(instants: Float64Array, field: CalendarField, timezone: string): Float64Array {
  const offset = zoneOffset(timezone);
  const read = READERS[field];
  const values = new Float64Array(instants.length);
  for (let i = 0; i < instants.length; i++) {
    const instant = instants[i]!;
    values[i] = Number.isFinite(instant) ? read(instant + offset(instant)) : Number.NaN;
  }
  return values;
}

/** Returns the proleptic Gregorian date of a local time. */
export function civilDate(wallMs: number): { year: number; month: number; day: number; dayOfYear: number } {
  const days = Math.floor(wallMs / DAY_MS);
  // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayFromMarch = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayFromMarch + 2) / 153);
  const day = dayFromMarch - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 1 : 0;
  const dayOfYear = month <= 2 ? dayFromMarch - 305 : dayFromMarch + 60 + leap;
  return { year, month, day, dayOfYear };
}

/** Returns the day of the week of a local time, 1 (Monday) to 7. 1970-01-01 was a Thursday. */
function weekday(wallMs: number): number {
  const days = Math.floor(wallMs / DAY_MS);
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

function hour(wallMs: number): number {
  return Math.floor((wallMs - Math.floor(wallMs / DAY_MS) * DAY_MS) / HOUR_MS);
}

const READERS: Record<CalendarField, (wallMs: number) => number> = {
  minuteOfDay: (wall) => Math.floor((wall - Math.floor(wall / DAY_MS) * DAY_MS) / 60_000),
  hour,
  hourOfWeek: (wall) => (weekday(wall) - 1) * 24 + hour(wall),
  weekday,
  dayOfMonth: (wall) => civilDate(wall).day,
  dayOfYear: (wall) => civilDate(wall).dayOfYear,
  // ISO 8601: a week belongs to the year of its Thursday.
  weekOfYear: (wall) => Math.floor((civilDate(wall + (4 - weekday(wall)) * DAY_MS).dayOfYear - 1) / 7) + 1,
  month: (wall) => civilDate(wall).month,
  quarter: (wall) => Math.floor((civilDate(wall).month - 1) / 3) + 1,
  year: (wall) => civilDate(wall).year,
};
