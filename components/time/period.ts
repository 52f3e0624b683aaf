import type { Buckets, BucketUnit } from "#lib/contract/buckets";
import { daysInMonth, detectFrequency } from "#lib/engine/features/frequency";
import { civilDate } from "#lib/engine/time/calendar";
import { wallToInstant, zoneOffset } from "#lib/engine/time/timezones";

/** Step and time zone of a series. Null if unknown, as for an imported model. */
export type SeriesCalendar = { frequency: string | null; timezone: string | null };

/**
 * Calendar unit that each point of an axis stands for, in a zone. A point lies at the beginning of its period, or, with
 * `isLastDay`, on the last day: monthly figures are often dated 31 January. `weekStart` is the local time at which a week
 * begins, in milliseconds from Thursday 00:00.
 *
 * Without it, the quarters of a year would read "1 Jan, 1 Apr, 1 Jul, 1 Oct", as if they were days.
 */
export type Period = { unit: BucketUnit; timezone: string; isLastDay: boolean; weekStart: number };

/** Calendar of a series whose step and zone are not known. */
export const unknownCalendar: SeriesCalendar = { frequency: null, timezone: null };

const DAY_MS = 86_400_000;
export const WEEK_MS = 7 * DAY_MS;
/** 1970-01-01 was a Thursday: weeks of buckets begin on Monday, four days later. */
const MONDAY = 4 * DAY_MS;

/** Number of months of each unit of months. */
export const monthsOf: Partial<Record<BucketUnit, number>> = { month: 1, quarter: 3, year: 12 };

/** Converts an instant to the local time of a zone, written as UTC, and back. */
export const toWall = (timezone: string, instant: number) => instant + zoneOffset(timezone)(instant);
export const fromWall = (timezone: string, wall: number) => wallToInstant(wall, zoneOffset(timezone));

/** Returns the period of aggregated points. */
export const periodOfBuckets = ({ unit, timezone }: Pick<Buckets, "unit" | "timezone">): Period => ({
  unit,
  timezone,
  isLastDay: false,
  weekStart: MONDAY,
});

/** Returns the time since the beginning of a Thursday. */
const inWeek = (wall: number) => ((wall % WEEK_MS) + WEEK_MS) % WEEK_MS;

const unitOf: Record<string, BucketUnit> = { P7D: "week", P1W: "week", P3M: "quarter", P1Y: "year" };

/**
 * Returns the period of rows; null unless they are days or longer periods of the zone. Three points show their step; fewer
 * have the step of the dataset. Dates that do not fit the calendar's quarters or years, such as those of a fiscal year, are
 * named by their month; dates in the middle of a month, by their day.
 *
 * @param times ascending, epoch milliseconds
 */
export function periodOf(times: ArrayLike<number>, calendar: SeriesCalendar): Period | null {
  const timezone = calendar.timezone ?? "UTC";
  const walls = Array.from(times, (time) => toWall(timezone, time));
  const isMidnight = (wall: number, at: number) =>
    wall % DAY_MS === 0 || fromWall(timezone, Math.floor(wall / DAY_MS) * DAY_MS) === times[at];
  if (walls.length === 0 || !walls.every(isMidnight)) return null;
  // A single midnight of an hourly series is a time, not a day.
  if (calendar.frequency?.startsWith("PT") && walls.length < 3) return null;
  const period = { timezone, isLastDay: false, weekStart: 0 };
  const frequency = calendar.frequency ?? detectFrequency(times, timezone);
  const days = walls.map((wall) => Math.floor(wall / DAY_MS) * DAY_MS);
  const weekStart = inWeek(days[0]!);
  const named = unitOf[frequency ?? ""] ?? (/^P\d+[MY]$/.test(frequency ?? "") ? "month" : "day");
  if (named === "week" && days.every((day) => inWeek(day) === weekStart))
    return { ...period, unit: "week", weekStart };
  if (named !== "day" && named !== "week") {
    const dates = days.map(civilDate);
    for (const isLastDay of [false, true]) {
      const unit = [named, "month" as const].find((unit) =>
        dates.every((date) => isEdge(date, unit, isLastDay)),
      );
      if (unit) return { ...period, unit, isLastDay };
    }
  }
  return { ...period, unit: "day" };
}

type CivilDay = Pick<ReturnType<typeof civilDate>, "year" | "month" | "day">;

/** Returns whether a date is the first, or the last, day of a unit of months. */
function isEdge({ year, month, day }: CivilDay, unit: BucketUnit, isLastDay: boolean): boolean {
  const months = monthsOf[unit]!;
  return isLastDay
    ? month % months === 0 && day === daysInMonth(year, month)
    : (month - 1) % months === 0 && day === 1;
}

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
  return (wall: number) => formatter.format(wall);
};
const dateText = format({ day: "numeric", month: "short", year: "numeric" });
const monthText = format({ month: "short", year: "numeric" });
const yearText = format({ year: "numeric" });
const hourText = format({
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const weekdayText = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });

/** Names the period of an instant: "Q4 2026", "Nov 2026", "Week of 2 Nov 2026", "Mon, 2 Nov 2026", "2026". */
export function periodText({ unit, timezone, weekStart }: Period, instant: number): string {
  const wall = toWall(timezone, instant);
  switch (unit) {
    case "hour":
      return hourText(wall);
    case "day":
      return weekdayText(wall);
    case "week":
      return `Week of ${dateText(Math.floor((wall - weekStart) / WEEK_MS) * WEEK_MS + weekStart)}`;
    case "month":
      return monthText(wall);
    case "quarter":
      return `Q${Math.ceil((new Date(wall).getUTCMonth() + 1) / 3)} ${yearText(wall)}`;
    case "year":
      return yearText(wall);
  }
}

/**
 * Writes the times of a series by its step: periods by their names, days as dates, and other times in UTC, which does not
 * depend on the viewer.
 *
 * @param zone text after each time of day; empty if the zone is shown elsewhere
 */
export function seriesTimes(times: readonly string[], calendar: SeriesCalendar, zone = " UTC"): string[] {
  const instants = times.map((time) => Date.parse(time));
  const period = periodOf(
    instants.toSorted((a, b) => a - b),
    calendar,
  );
  if (period === null) return instants.map((instant) => `${clockText(instants)(instant)}${zone}`);
  if (period.unit === "day") return instants.map((instant) => dateText(toWall(period.timezone, instant)));
  return instants.map((instant) => periodText(period, instant));
}

/** Writes the day of a time, or the longer period that it stands for. */
export function dayText(time: string, calendar: SeriesCalendar): string {
  const isPeriod = periodOf([Date.parse(time)], calendar) !== null;
  return isPeriod ? seriesTimes([time], calendar)[0]! : dateText(Date.parse(time));
}

const [minutes, seconds] = (["short", "medium"] as const).map((timeStyle) =>
  format({ dateStyle: "medium", timeStyle }),
);

/** Returns a format with seconds only if a time has some. */
const clockText = (instants: readonly number[]) =>
  instants.every((instant) => instant % 60_000 === 0) ? minutes! : seconds!;
