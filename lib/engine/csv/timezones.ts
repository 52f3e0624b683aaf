const DAY_MS = 86_400_000;
const SLOT_MS = 900_000;

/** Whether the name is an IANA time zone that this runtime knows. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Clock times of one IANA zone to UTC. Offsets are remembered by day, since asking `Intl` for each of a
 * million rows would take seconds.
 */
export class ZoneClock {
  readonly isUtc: boolean;
  readonly #format: Intl.DateTimeFormat;
  /** Day number → offset in ms, or NaN where the offset changes within that UTC day. */
  readonly #days = new Map<number, number>();
  readonly #slots = new Map<number, number>();

  /** Throws RangeError for a zone that is not known (see `isTimezone`). */
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
   * Epoch milliseconds of a clock time (given as the epoch milliseconds it would have in UTC). A time that the
   * clock shows twice is the first of the two, unless `after` (the row before, epoch ms) is already that far:
   * then the second. A time that the clock skips is NaN; but where `isDay`, a midnight stands for its day, and is the
   * moment that the clock shows instead, if that is on the same day.
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
      const start = this.#ask(day * DAY_MS);
      offset = start === this.#ask((day + 1) * DAY_MS) ? start : Number.NaN;
      this.#days.set(day, offset);
    }
    if (!Number.isNaN(offset)) return offset;
    const slot = Math.floor(utcMs / SLOT_MS);
    const known = this.#slots.get(slot);
    if (known !== undefined) return known;
    const exact = this.#ask(slot * SLOT_MS);
    this.#slots.set(slot, exact);
    return exact;
  }

  #ask(utcMs: number): number {
    const part: Record<string, string> = {};
    for (const { type, value } of this.#format.formatToParts(utcMs)) part[type] = value;
    const year = part.era === "BC" ? 1 - Number(part.year) : Number(part.year);
    const clock = new Date(0);
    clock.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
    clock.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second));
    return clock.getTime() - utcMs;
  }
}
