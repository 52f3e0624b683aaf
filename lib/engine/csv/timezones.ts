const DAY_MS = 86_400_000;
const SLOT_MS = 900_000;

/** Returns whether this runtime knows the IANA time zone. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Converts clock times of one IANA zone to UTC. Caches offsets by day, because `Intl` would take seconds for a million
 * rows.
 */
export class ZoneClock {
  readonly isUtc: boolean;
  readonly #format: Intl.DateTimeFormat;
  /** Maps a day number to its offset in milliseconds, or NaN if the offset changes within that UTC day. */
  readonly #days = new Map<number, number>();
  readonly #slots = new Map<number, number>();

  /** @throws RangeError for an unknown zone (see `isTimezone`). */
  constructor(timezone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      era: "short",
    });
    this.isUtc = ["UTC", "Etc/UTC", "GMT"].includes(this.#format.resolvedOptions().timeZone);
  }

  /**
   * Returns the epoch milliseconds of a clock time, which is given as if in UTC. Of a time that occurs twice, returns
   * the first, or the second if `after` (the previous row, epoch milliseconds) has already reached the first. Returns
   * NaN for a time that the clocks skip. With `isDay`, a skipped midnight becomes the moment that the clock shows
   * instead, if that is on the same day.
   */
  toUtc(clockMs: number, after: number, isDay = false): number {
    if (this.isUtc) return clockMs;
    const before = clockMs - this.#offset(clockMs - DAY_MS);
    const behind = clockMs - this.#offset(clockMs + DAY_MS);
    const first = Math.min(before, behind);
    const second = Math.max(before, behind);
    const firstHolds = first + this.#offset(first) === clockMs;
    if (first === second) return firstHolds ? first : Number.NaN;
    const secondHolds = second + this.#offset(second) === clockMs;
    if (firstHolds && secondHolds) return first <= after && second > after ? second : first;
    if (firstHolds) return first;
    if (secondHolds) return second;
    return isDay && clockMs % DAY_MS === 0 && second + this.#offset(second) < clockMs + DAY_MS
      ? second
      : Number.NaN;
  }

  #offset(utcMs: number): number {
    const day = Math.floor(utcMs / DAY_MS);
    let offset = this.#days.get(day);
    if (offset === undefined) {
      const start = this.#offsetAt(day * DAY_MS);
      offset = start === this.#offsetAt((day + 1) * DAY_MS) ? start : Number.NaN;
      this.#days.set(day, offset);
    }
    if (!Number.isNaN(offset)) return offset;
    const slot = Math.floor(utcMs / SLOT_MS);
    const known = this.#slots.get(slot);
    if (known !== undefined) return known;
    const exact = this.#offsetAt(slot * SLOT_MS);
    this.#slots.set(slot, exact);
    return exact;
  }

  #offsetAt(utcMs: number): number {
    const part: Record<string, string> = {};
    for (const { type, value } of this.#format.formatToParts(utcMs)) part[type] = value;
    const year = part.era === "BC" ? 1 - Number(part.year) : Number(part.year);
    const clock = new Date(0);
    clock.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
    clock.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second));
    return clock.getTime() - utcMs;
  }
}
