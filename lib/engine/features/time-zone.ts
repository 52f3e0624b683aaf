const DAY_MS = 86_400_000;
const QUARTER_HOUR_MS = 900_000;

/**
 * Offset of local wall time from UTC in milliseconds, as a function of an instant (epoch milliseconds).
 * `Intl` is slow to ask, so answers are kept per UTC day; on a day whose ends differ (a clock change), per
 * quarter of an hour, because zones only change on such boundaries.
 * Throws a RangeError for a zone that `Intl` does not know.
 */
export function zoneOffset(timezone: string): (instant: number) => number {
  if (isUtc(timezone)) return () => 0;
  const kept = cache.get(timezone);
  if (kept) return kept;
  const ask = askIntl(timezone);
  const byDay = new Map<number, number | null>();
  const byQuarter = new Map<number, number>();
  const offset = (instant: number): number => {
    if (!Number.isFinite(instant)) return 0;
    const day = Math.floor(instant / DAY_MS);
    let whole = byDay.get(day);
    if (whole === undefined) {
      const first = ask(day * DAY_MS);
      whole = first === ask((day + 1) * DAY_MS) ? first : null;
      byDay.set(day, whole);
    }
    if (whole !== null) return whole;
    const quarter = Math.floor(instant / QUARTER_HOUR_MS);
    let part = byQuarter.get(quarter);
    if (part === undefined) {
      part = ask(quarter * QUARTER_HOUR_MS);
      byQuarter.set(quarter, part);
    }
    return part;
  };
  cache.set(timezone, offset);
  return offset;
}

/**
 * The instant at which a clock in the zone shows `wallMs` (local time written as if it were UTC): the first of two; for
 * a time that the clocks skip, the one that they show as much later as they skip, so that a day stays that day.
 */
export function wallToInstant(wallMs: number, offset: (instant: number) => number): number {
  const before = wallMs - offset(wallMs - DAY_MS);
  const behind = wallMs - offset(wallMs + DAY_MS);
  const first = Math.min(before, behind);
  return first + offset(first) === wallMs ? first : Math.max(before, behind);
}

const cache = new Map<string, (instant: number) => number>();

function isUtc(timezone: string): boolean {
  return timezone === "UTC" || timezone === "Etc/UTC" || timezone === "GMT" || timezone === "Z";
}

function askIntl(timezone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (instant) => {
    const part: Record<string, number> = {};
    let beforeChrist = false;
    for (const { type, value } of format.formatToParts(instant)) {
      if (type === "era") beforeChrist = value.startsWith("B");
      else if (type !== "literal") part[type] = Number(value);
    }
    const year = beforeChrist ? 1 - part.year! : part.year!;
    const wall = new Date(0);
    wall.setUTCFullYear(year, part.month! - 1, part.day!);
    wall.setUTCHours(part.hour!, part.minute!, part.second!);
    return wall.getTime() - Math.floor(instant / 1000) * 1000;
  };
}
