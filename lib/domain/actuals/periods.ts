import type { RecordPeriod } from "#lib/contract/actuals";
import { wallToInstant, zoneOffset } from "#lib/engine/time/timezones";
import { type Judged, measure } from "./measure.ts";

type Period = "day" | "week" | "month";

const DAY_MS = 86_400_000;
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY = 4;

/** Chooses days for up to 31 days with more than two rows a day, weeks for up to 183 days, else months. */
export function choosePeriod(times: Float64Array): Period {
  const days = times.length === 0 ? 0 : (times.at(-1)! - times[0]!) / DAY_MS;
  if (days <= 31 && times.length > 2 * days + 1) return "day";
  return days <= 183 ? "week" : "month";
}

/** Measures errors by calendar day, week (from Monday) or month of the zone. Omits periods without actuals. */
export function measurePeriods(judged: Judged, period: Period, timezone: string): RecordPeriod[] {
  const { times } = judged;
  const offset = zoneOffset(timezone);
  const periods: RecordPeriod[] = [];
  let start = 0;
  while (start < times.length) {
    const [from, to] = periodAround(times[start]! + offset(times[start]!), period).map((wall) =>
      wallToInstant(wall, offset),
    ) as [number, number];
    let end = start + 1;
    while (end < times.length && times[end]! < to) end++;
    const errors = measure(judged, start, end);
    if (errors !== null)
      periods.push({ from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...errors });
    start = end;
  }
  return periods;
}

/** Returns start and end of the period around a local time. All three are local times written as if they were UTC. */
function periodAround(wall: number, period: Period): [number, number] {
  if (period === "month") {
    const date = new Date(wall);
    const month = (count: number) =>
      new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
    return [month(0), month(1)];
  }
  const day = Math.floor(wall / DAY_MS);
  const begin = period === "day" ? day : day - ((((day - FIRST_MONDAY) % 7) + 7) % 7);
  return [begin * DAY_MS, (begin + (period === "day" ? 1 : 7)) * DAY_MS];
}

/** Formats an instant for messages, in UTC: `2023-07-19` at midnight, otherwise `2023-07-19 13:00 UTC`. */
export function formatInstant(instant: number): string {
  const text = new Date(instant).toISOString();
  return text.endsWith("T00:00:00.000Z")
    ? text.slice(0, 10)
    : `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}
