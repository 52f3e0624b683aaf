import { instantOf } from "#lib/contract/instant";
import { fromWall, toWall } from "./period.ts";

// A date field holds a local day of the dataset's zone, while the API reads a date as a day of UTC. Daily rows of Berlin
// lie at 23:00 UTC of the day before, so the 19th of UTC would include the row of the 20th. Therefore the pages send the
// first and the last second of the local day. Days of UTC stay as they are written, which keeps links short.

const DAY_MS = 86_400_000;
/** Whether a day is sent as it is written: in UTC, or with a year of five digits, which the service rejects. */
const isAsWritten = (day: string, timezone: string | null) =>
  timezone === null || timezone === "UTC" || !/^\d{4}-/.test(day);
const written = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}Z`;

/** Returns the local day of a time or an instant, as a date field writes it. */
export function localDay(time: string | number, timezone: string | null): string {
  if (typeof time === "string" && !/^\d{4}-/.test(time)) return time.split("T")[0]!;
  const instant = typeof time === "number" ? time : instantOf(time);
  return new Date(toWall(timezone ?? "UTC", instant)).toISOString().slice(0, 10);
}

/** Returns the start of a local day, such as `2026-02-14`, for the API. */
export const startOfDay = (day: string, timezone: string | null): string =>
  isAsWritten(day, timezone) ? day : written(fromWall(timezone!, Date.parse(day)));

/** Returns the end of a local day for the API: a bare date would end an hourly series at midnight. */
export const endOfDay = (day: string, timezone: string | null): string =>
  isAsWritten(day, timezone)
    ? `${day}T23:59:59Z`
    : written(fromWall(timezone!, Date.parse(day) + DAY_MS) - 1_000);

/** Returns whether a time is the start, or the end, of a local day. */
export function isDayBound(time: string, timezone: string | null): boolean {
  const day = localDay(time, timezone);
  return [startOfDay(day, timezone), endOfDay(day, timezone)].some(
    (one) => instantOf(one) === instantOf(time),
  );
}
