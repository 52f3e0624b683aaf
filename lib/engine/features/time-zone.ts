const DAY_MS = 86_400_000;
const QUARTER_HOUR_MS = 900_000;

/**
 * Returns the offset of local time from UTC in milliseconds as a function of an instant (epoch milliseconds). `Intl`
 * is slow, so offsets are cached per UTC day. On a day with a clock change, they are cached per quarter of an hour,
 * because zones change only at such boundaries.
 *
 * @throws {RangeError} for a zone that `Intl` does not know
 */
export function zoneOffset(timezone: string): (instant: number) => number {
  if (isUtc(timezone)) return () => 0;
  const cached = cache.get(timezone);
  if (cached) return cached;
  const offsetAt = intlOffset(timezone);
  const byDay = new Map<number, number | null>();
  const byQuarter = new Map<number, number>();
  const offset = (instant: number): number => {
    if (!Number.isFinite(instant)) return 0;
    const day = Math.floor(instant / DAY_MS);
    let dayOffset = byDay.get(day);
    if (dayOffset === undefined) {
      const first = offsetAt(day * DAY_MS);
      dayOffset = first === offsetAt((day + 1) * DAY_MS) ? first : null;
      byDay.set(day, dayOffset);
    }
    if (dayOffset !== null) return dayOffset;
    const quarter = Math.floor(instant / QUARTER_HOUR_MS);
    let part = byQuarter.get(quarter);
    if (part === undefined) {
      part = offsetAt(quarter * QUARTER_HOUR_MS);
      byQuarter.set(quarter, part);
    }
    return part;
  };
  cache.set(timezone, offset);
  return offset;
}

/**
 * Returns the instant at which the zone's clock shows `wallMs` (local time written as UTC). Of a time that occurs
 * twice, returns the first. A skipped time moves forward by the length of the skip, so that a day stays on its date.
 */
export function wallToInstant(wallMs: number, offset: (instant: number) => number): number {
  const before = wallMs - offset(wallMs - DAY_MS);
  const after = wallMs - offset(wallMs + DAY_MS);
  const first = Math.min(before, after);
  return first + offset(first) === wallMs ? first : Math.max(before, after);
}

const cache = new Map<string, (instant: number) => number>();

function isUtc(timezone: string): boolean {
  return timezone === "UTC" || timezone === "Etc/UTC" || timezone === "GMT" || timezone === "Z";
}

function intlOffset(timezone: string): (instant: number) => number {
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
