import { type DatePart, type DateRule, type DateValue, dateParts } from "#lib/contract/date-rule";
import type { Column, Table } from "#lib/contract/table";
import { localReader } from "#lib/engine/time/calendar";
import { dateValueAt, type HolidayDays, partReader, readsHolidays } from "#lib/engine/time/date-rule";

/**
 * Finds columns that follow from the date of their row, such as a month, a weekday from 0, a season by text, or a working
 * day that is neither weekend nor public holiday.
 *
 * A column follows from a part of the date if equal parts have equal values in every row. That alone proves nothing: in
 * the rows of one month, every column is "a function of the month". So each repetition counts as evidence. A repetition is
 * a part that occurs again in another cycle (a weekday in another week, a month in another year) with the same value. By
 * chance it agrees with the probability p that two values of the column agree, which is worth -log2(p) bits. A weekend
 * flag has p = 0.59, so the 7 weekdays of each further week are worth 5.3 bits; five weeks reach the 20 bits that a rule
 * needs.
 */

const DAY_MS = 86_400_000;
/** Evidence that a rule needs. Of a million columns of random values, about one would reach it. */
const BITS_MIN = 20;
/** Share of the occurrences that must be of parts that occur in at least two cycles. */
const REPEATED_MIN = 0.9;
/** Number of different values that a number needs to follow from a part by addition. */
const SHIFTED_MIN = 3;

/** A part of the date that may determine a column, and its value and cycle at each row. */
type Part = {
  part: DatePart;
  holidays: HolidayDays | undefined;
  read(): { places: Float64Array; cycles: Float64Array };
};

type Times = {
  instants: Float64Array;
  timezone: string;
  /** Public holidays of the country in the settings. */
  holidays?: Omit<HolidayDays, "observed"> | undefined;
};

/** Returns the rule of each named column that follows from the date. Columns of times have none. */
export function findDateRules(table: Table, names: readonly string[], times: Times): Map<string, DateRule> {
  const columnNames = new Set(names);
  const parts = partsOf(times);
  const rules = new Map<string, DateRule>();
  for (const column of table.columns) {
    const rule = columnNames.has(column.name) ? findRule(column, parts, times.timezone) : null;
    if (rule !== null) rules.set(column.name, rule);
  }
  return rules;
}

function findRule(column: Column, parts: readonly Part[], timezone: string): DateRule | null {
  if (column.type === "timestamp") return null;
  if (column.type === "number")
    for (const { part, holidays, read } of parts) {
      const offset = holidays ? null : findOffset(column.values, part, read());
      if (offset !== null) return { part, timezone, offset };
    }
  for (const { part, holidays, read } of parts) {
    // Years do not repeat, so later ones would be unknown.
    const values = part === "year" ? null : findValues(column, part, read());
    if (values !== null) return { part, timezone, values, ...(holidays && { holidays }) };
  }
  return null;
}

function partsOf({ instants, timezone, holidays }: Times): Part[] {
  const dates = holidays
    ? [
        { ...holidays, observed: false },
        { ...holidays, observed: true, days: observedDays(holidays.days) },
      ]
    : [];
  return dateParts.flatMap((part): Part[] =>
    (readsHolidays(part) ? dates : [undefined]).map((days) => ({
      part,
      holidays: days,
      read: once(() => ({
        places: instants.map(partReader(part, { timezone, holidays: days })),
        cycles: instants.map(cycleReader(part, timezone)),
      })),
    })),
  );
}

/** Returns the days on which holidays are observed: on Friday for a Saturday, on Monday for a Sunday. */
function observedDays(days: readonly number[]): number[] {
  const observed = days.map((day) => {
    const weekday = (day + 3) % 7;
    return weekday === 5 ? day - 1 : weekday === 6 ? day + 1 : day;
  });
  return [...new Set(observed)].sort((a, b) => a - b);
}

function once<T>(compute: () => T): () => T {
  let result: { value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

/** Returns a reader of the cycle in which a part repeats: the day, the week, the month or the year of an instant. */
function cycleReader(part: DatePart, timezone: string): (instant: number) => number {
  const dayOf = (date: Date) => Math.floor(date.getTime() / DAY_MS);
  switch (part) {
    case "hour":
    case "minuteOfDay":
    case "holiday":
      return localReader(dayOf, timezone);
    case "weekday":
    case "weekdayAndHoliday":
    case "hourOfWeek":
      return localReader((date) => Math.floor((dayOf(date) + 3) / 7), timezone);
    case "dayOfMonth":
      return localReader((date) => 12 * date.getUTCFullYear() + date.getUTCMonth(), timezone);
    default:
      return localReader((date) => date.getUTCFullYear(), timezone);
  }
}

/** Returns the constant difference of the values from a part; null if it is not constant, or not shown by enough rows. */
function findOffset(
  values: Float64Array,
  part: DatePart,
  { places, cycles }: ReturnType<Part["read"]>,
): number | null {
  let offset: number | null = null;
  const occurrences = new Set<number>();
  const counts = new Map<number, number>();
  const seen = new Set<number>();
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    const place = places[row]!;
    if (Number.isNaN(value) || Number.isNaN(place)) continue;
    offset ??= value - place;
    if (value - place !== offset) return null;
    const occurrence = 10_000 * cycles[row]! + place;
    if (occurrences.has(occurrence)) continue;
    occurrences.add(occurrence);
    seen.add(cycles[row]!);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  if (offset === null) return null;
  // A year does not repeat: the value must be the year itself, or change with it several times.
  if (part === "year") return counts.size >= (offset === 0 ? 2 : SHIFTED_MIN) ? offset : null;
  if (counts.size < SHIFTED_MIN || seen.size < 2) return null;
  return bits(counts, occurrences.size - 1) >= BITS_MIN ? offset : null;
}

/** Returns the value of each part; null if a part has two values, or if not enough parts repeat. */
function findValues(
  column: Column,
  part: DatePart,
  { places, cycles }: ReturnType<Part["read"]>,
): NonNullable<DateRule["values"]> | null {
  const known = new Map<number, { value: DateValue; cycles: Set<number> }>();
  for (let row = 0; row < places.length; row++) {
    const place = places[row]!;
    const value = dateValueAt(column, row);
    if (value === null || Number.isNaN(place)) continue;
    const before = known.get(place);
    if (before === undefined) known.set(place, { value, cycles: new Set([cycles[row]!]) });
    else if (before.value !== value) return null;
    else before.cycles.add(cycles[row]!);
  }
  const counts = new Map<DateValue, number>();
  let occurrences = 0;
  let repeated = 0;
  for (const { value, cycles } of known.values()) {
    counts.set(value, (counts.get(value) ?? 0) + cycles.size);
    occurrences += cycles.size;
    if (cycles.size > 1) repeated += cycles.size;
  }
  if (counts.size < 2 || repeated < REPEATED_MIN * occurrences || hasLoneValue(known, part)) return null;
  if (bits(counts, occurrences - known.size) < BITS_MIN) return null;
  const valueByPlace = new Map([...known].map(([place, { value }]) => [place, value]));
  if (part === "weekdayAndHoliday") addHolidays(valueByPlace);
  return runsOf(valueByPlace, part);
}

/**
 * Returns whether a part that occurs only once has another value than the parts around it that repeat: an exception looks
 * like that. Parts that are rare by nature are left out.
 */
function hasLoneValue(
  known: ReadonlyMap<number, { value: DateValue; cycles: ReadonlySet<number> }>,
  part: DatePart,
): boolean {
  const ordered = [...known].sort(([a], [b]) => a - b).map(([place, found]) => ({ place, ...found }));
  const isRepeated = ({ cycles }: { cycles: ReadonlySet<number> }) => cycles.size > 1;
  return ordered.some(({ place, value, cycles }, at) => {
    if (cycles.size > 1 || isRare(part, place)) return false;
    const around = [ordered.slice(0, at).findLast(isRepeated), ordered.slice(at + 1).find(isRepeated)];
    return around.some((one) => one !== undefined && one.value !== value);
  });
}

/** Returns whether years or weeks lack a part: leap days, the 53rd week, and most weekdays of holidays. */
function isRare(part: DatePart, place: number): boolean {
  if (part === "weekdayAndHoliday") return place > 10;
  const rare: Partial<Record<DatePart, number>> = { monthAndDay: LEAP_DAY, dayOfYear: 366, weekOfYear: 53 };
  return rare[part] === place;
}

/** Returns the evidence of repetitions, in bits. */
function bits(counts: ReadonlyMap<unknown, number>, repetitions: number): number {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const agree = [...counts.values()].reduce((sum, count) => sum + (count / total) ** 2, 0);
  return -Math.log2(agree) * repetitions;
}

/**
 * Adds the value of holidays on weekdays that no row shows, if all others from Monday to Friday agree. A holiday on a
 * weekend has that value too if weekends have it anyway, as a flag of working days does.
 */
function addHolidays(valueByPlace: Map<number, DateValue>): void {
  const workdays = [11, 12, 13, 14, 15];
  const shown = new Set(workdays.flatMap((place) => valueByPlace.get(place) ?? []));
  const [value] = shown;
  if (shown.size !== 1 || value === undefined) return;
  const same = [16, 17].filter((place) => valueByPlace.get(place - 10) === value);
  for (const place of [...workdays, ...same]) if (!valueByPlace.has(place)) valueByPlace.set(place, value);
}

/** Returns the first part of each run of parts with the same value. Parts that no row shows have the value null. */
function runsOf(
  valueByPlace: ReadonlyMap<number, DateValue>,
  part: DatePart,
): NonNullable<DateRule["values"]> {
  const places = [...valueByPlace.keys()].sort((a, b) => a - b);
  const runs: NonNullable<DateRule["values"]> = [];
  const add = (from: number, value: DateValue) => {
    if (runs.at(-1)?.value !== value) runs.push({ from, value });
  };
  for (const [at, place] of places.entries()) {
    const value = valueByPlace.get(place)!;
    add(place, value);
    const next = places[at + 1];
    const after = following(part, place);
    // 29 February takes the value of its neighbours, if they agree.
    const isLeapDay = after === LEAP_DAY && next === 301 && valueByPlace.get(next) === value;
    if (next !== after && after > place && !(part === "monthAndDay" && isLeapDay)) add(after, null);
  }
  return runs;
}

const LEAP_DAY = 229;

/** Returns the next part. */
function following(part: DatePart, place: number): number {
  if (part === "weekdayAndHoliday" && place === 7) return 11;
  if (part !== "monthAndDay") return place + 1;
  const date = new Date(Date.UTC(2000, Math.floor(place / 100) - 1, (place % 100) + 1));
  return 100 * (date.getUTCMonth() + 1) + date.getUTCDate();
}
