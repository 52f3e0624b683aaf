const DAY_MS = 86_400_000;
const QUARTER_HOUR_MS = 900_000;

/** Returns whether this runtime knows the IANA time zone. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the offset of local time from UTC in milliseconds at an instant (epoch milliseconds). */
export type ZoneOffset = (instant: number) => number;

const noOffset: ZoneOffset = () => 0;
const cache = new Map<string, ZoneOffset>();

/**
 * Returns the offsets of a zone, which are kept for later calls.
 *
 * @throws {RangeError} for a zone that `Intl` does not know
 */
export function zoneOffset(timezone: string): ZoneOffset {
  const offset = cache.get(timezone) ?? newOffset(timezone);
  cache.set(timezone, offset);
  return offset;
}

/**
 * Computes offsets by `Intl`, which is slow, and caches them per UTC day. On a day with a clock change, they are cached
 * per quarter of an hour, because zones change only at such boundaries.
 */
function newOffset(timezone: string): ZoneOffset {
  if (isUtc(timezone)) return noOffset;
  const offsetAt = intlOffset(timezone);
  const byDay = new Map<number, number | null>();
  const byQuarter = new Map<number, number>();
  return (instant: number): number => {
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
}

/**
 * Returns the instant at which the zone's clock shows `wallMs` (local time written as UTC). Of a time that occurs
 * twice, returns the first. A skipped time moves forward by the length of the skip, so that a day stays on its date.
 */
export function wallToInstant(wallMs: number, offset: ZoneOffset): number {
  const before = wallMs - offset(wallMs - DAY_MS);
  const after = wallMs - offset(wallMs + DAY_MS);
  const first = Math.min(before, after);
  return first + offset(first) === wallMs ? first : Math.max(before, after);
}

/** Converts clock times of one IANA zone to UTC. Caches offsets only in itself, because a file may have any dates. */
export class ZoneClock {
  readonly #offset: ZoneOffset;

  /** @throws RangeError for an unknown zone (see `isTimezone`). */
  constructor(timezone: string) {
    this.#offset = newOffset(timezone);
  }

  /**
   * Returns the epoch milliseconds of a clock time, which is given as if in UTC. Of a time that occurs twice, returns
   * the first, or the second if `after` (the previous row, epoch milliseconds) has already reached the first. Returns
   * NaN for a time that the clocks skip. With `isDay`, a skipped midnight becomes the moment that the clock shows
   * instead, if that is on the same day.
   */
  toUtc(clockMs: number, after: number, isDay = false): number {
    const offset = this.#offset;
    if (offset === noOffset) return clockMs;
    const before = clockMs - offset(clockMs - DAY_MS);
    const behind = clockMs - offset(clockMs + DAY_MS);
    const first = Math.min(before, behind);
    const second = Math.max(before, behind);
    const firstHolds = first + offset(first) === clockMs;
    if (first === second) return firstHolds ? first : Number.NaN;
    const secondHolds = second + offset(second) === clockMs;
    if (firstHolds && secondHolds) return first <= after && second > after ? second : first;
    if (firstHolds) return first;
    if (secondHolds) return second;
    return isDay && clockMs % DAY_MS === 0 && second + offset(second) < clockMs + DAY_MS
      ? second
      : Number.NaN;
  }
}

function isUtc(timezone: string): boolean {
  return timezone === "UTC" || timezone === "Etc/UTC" || timezone === "GMT" || timezone === "Z";
}

function intlOffset(timezone: string): ZoneOffset {
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
