import { BUSINESS_DAY } from "#lib/contract/duration-text";
import { civilDate } from "#lib/engine/time/calendar";
import { wallToInstant, zoneOffset } from "#lib/engine/time/timezones";

/**
 * The step of a regular series. Seconds to hours are absolute durations. Days, business days (Monday to Friday) and
 * months follow a zone's local calendar, because a local day has 23 or 25 hours at a clock change.
 */
type Step = { unit: "ms" | "day" | "business" | "month"; count: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * Parses an ISO 8601 duration of one unit ("PT15M", "P1D", "P7D", "P1W", "P1M", "P1Y"), or `BUSINESS_DAY`.
 *
 * @throws {RangeError} otherwise
 */
export function parseFrequency(frequency: string): Step {
  if (frequency === BUSINESS_DAY) return { unit: "business", count: 1 };
  const match = /^P(?:(\d+)([DWMY])|T(\d+)([HMS]))$/.exec(frequency);
  const count = Number(match?.[1] ?? match?.[3]);
  if (!match || !(count > 0))
    throw new RangeError(`"${frequency}" is not a frequency. Use a duration such as PT1H, P1D or P1M.`);
  if (match[4]) return { unit: "ms", count: count * { H: HOUR_MS, M: 60_000, S: 1000 }[match[4]]! };
  if (match[2] === "D" || match[2] === "W")
    return { unit: "day", count: match[2] === "W" ? count * 7 : count };
  return { unit: "month", count: match[2] === "Y" ? count * 12 : count };
}

/** Returns the mean length of a step in milliseconds. */
export function stepMs(frequency: string): number {
  const { unit, count } = parseFrequency(frequency);
  const days = { day: 1, business: 7 / 5, month: 365.25 / 12 };
  return unit === "ms" ? count : count * DAY_MS * days[unit];
}

/**
 * Returns the default forecast horizon in steps: a day of minutes, a week of hours, four weeks of days or business days,
 * a quarter of weeks, a year of months, two years of quarters, four years.
 */
export function defaultHorizon(frequency: string): number {
  const step = parseFrequency(frequency);
  if (step.unit === "month") return step.count >= 12 ? 4 : step.count === 3 ? 8 : Math.ceil(12 / step.count);
  if (step.unit === "business") return 20;
  if (step.unit === "day") return Math.max(1, step.count === 1 ? 28 : Math.round(91 / step.count));
  const span = step.count < HOUR_MS ? DAY_MS : 7 * DAY_MS;
  return Math.max(1, Math.round(span / step.count));
}

/**
 * Returns the frequency of a series as an ISO 8601 duration or `BUSINESS_DAY`, or null. Order and repeated timestamps do
 * not matter. The most frequent step must make up more than half of all steps, and at least 98% of all steps must be its
 * whole multiples. Missing rows therefore do not hide the frequency.
 *
 * @param timestamps epoch milliseconds
 * @param timezone zone of days and months
 */
export function detectFrequency(timestamps: ArrayLike<number>, timezone = "UTC"): string | null {
  const instants = sortedDistinct(timestamps);
  if (instants.length < 3) return null;
  const offset = zoneOffset(timezone);
  const walls = instants.map((instant) => instant + offset(instant));
  return detectMonths(walls) ?? detectDays(instants, walls, offset) ?? detectSpan(instants);
}

function detectSpan(instants: Float64Array): string | null {
  const step = commonestStep(differences(instants));
  if (step === null || step % 1000 !== 0) return null;
  if (step % HOUR_MS === 0) return `PT${step / HOUR_MS}H`;
  if (step % 60_000 === 0) return `PT${step / 60_000}M`;
  return `PT${step / 1000}S`;
}

/** Detects rows at the same time of day, except for days on which the clocks skip that time. */
function detectDays(
  instants: Float64Array,
  walls: Float64Array,
  offset: (instant: number) => number,
): string | null {
  const days = walls.map((wall) => Math.floor(wall / DAY_MS));
  const timeOfDay = walls.reduce((least, wall, i) => Math.min(least, wall - days[i]! * DAY_MS), DAY_MS);
  const sameTime = days.every((day, i) => {
    const wall = day * DAY_MS + timeOfDay;
    return walls[i] === wall || instants[i] === wallToInstant(wall, offset);
  });
  const step = sameTime ? commonestStep(differences(days)) : null;
  if (step === 1 && areBusinessDays(days)) return BUSINESS_DAY;
  return step === null ? null : `P${step}D`;
}

/** Returns whether ascending days skip every weekend, and at least two weekends. */
function areBusinessDays(days: Float64Array): boolean {
  const skipped = daysBetween(days) - (businessDay(days.at(-1)!) - businessDay(days[0]!));
  return skipped >= 4 && days.every((day) => !isWeekend(day));
}

const daysBetween = (days: Float64Array) => days.at(-1)! - days[0]!;

/** 1970-01-01 was a Thursday: the fourth day of its week, which starts on Monday. */
const FIRST_WEEKDAY = 3;

const isWeekend = (day: number) => (((day + FIRST_WEEKDAY) % 7) + 7) % 7 >= 5;

/** Returns the number of business days from Monday 1969-12-29 to a day since 1970. A weekend belongs to its Friday. */
export function businessDay(day: number): number {
  const week = Math.floor((day + FIRST_WEEKDAY) / 7);
  return week * 5 + Math.min(4, day + FIRST_WEEKDAY - week * 7);
}

/** Returns the day since 1970 of a business day. */
export function dayOfBusinessDay(index: number): number {
  const week = Math.floor(index / 5);
  return week * 7 + (index - week * 5) - FIRST_WEEKDAY;
}

/** Detects rows on the same day of the month, or on its last day. */
function detectMonths(walls: Float64Array): string | null {
  const dates = Array.from(walls, civilDate);
  const longestDay = latestDay(dates);
  const aligned = dates.every(
    ({ year, month, day }) =>
      day === Math.min(longestDay, daysInMonth(year, month)) || day === daysInMonth(year, month),
  );
  const sameDay = dates.every(({ day }) => day === dates[0]!.day);
  const lastDays = dates.every(isMonthEnd);
  if (!(aligned && (sameDay || lastDays || longestDay > 28))) return null;
  const months = Float64Array.from(dates, ({ year, month }) => year * 12 + month);
  const step = commonestStep(differences(months));
  if (step === null) return null;
  return step % 12 === 0 ? `P${step / 12}Y` : `P${step}M`;
}

type CivilDay = Pick<ReturnType<typeof civilDate>, "year" | "month" | "day">;

const latestDay = (dates: readonly CivilDay[]) => dates.reduce((day, date) => Math.max(day, date.day), 0);
const isMonthEnd = ({ year, month, day }: CivilDay) => day === daysInMonth(year, month);

/**
 * Returns the day of the month on which all dates fall: 31 if each is its month's last day, otherwise the latest day,
 * which shorter months do not reach.
 */
export function commonMonthDay(dates: readonly CivilDay[]): number {
  return dates.every(isMonthEnd) ? 31 : latestDay(dates);
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(2000 + (((year % 400) + 400) % 400), month, 0)).getUTCDate();
}

function sortedDistinct(timestamps: ArrayLike<number>): Float64Array {
  const sorted = Float64Array.from(timestamps)
    .filter((instant) => Number.isFinite(instant))
    .sort();
  return sorted.filter((instant, i) => i === 0 || instant !== sorted[i - 1]);
}

function differences(values: Float64Array): Float64Array {
  return values.subarray(1).map((value, i) => value - values[i]!);
}

function commonestStep(steps: Float64Array): number | null {
  const counts = new Map<number, number>();
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1);
  let common = 0;
  let highest = 0;
  for (const [step, count] of counts) {
    if (count > highest) [common, highest] = [step, count];
  }
  if (common <= 0 || highest * 2 <= steps.length) return null;
  const whole = steps.reduce((count, step) => count + (step % common === 0 ? 1 : 0), 0);
  return whole >= 0.98 * steps.length ? common : null;
}
