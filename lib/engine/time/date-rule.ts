import type { DatePart, DateRule, DateValue } from "#lib/contract/date-rule";
import type { Column } from "#lib/contract/table";
import { FIELD_NAMES, localReader, READERS } from "./calendar.ts";

const DAY_MS = 86_400_000;

export type HolidayDays = NonNullable<DateRule["holidays"]>;

export const readsHolidays = (part: DatePart) => part === "holiday" || part === "weekdayAndHoliday";

/**
 * Returns a reader of a part of an instant's local date. NaN for a time that is not finite, and for holidays beyond the
 * years that `holidays` cover.
 */
export function partReader(
  part: DatePart,
  { timezone, holidays }: Pick<DateRule, "timezone" | "holidays">,
): (instant: number) => number {
  if (part === "monthAndDay")
    return localReader((date) => 100 * READERS.month(date) + READERS.dayOfMonth(date), timezone);
  if (part !== "holiday" && part !== "weekdayAndHoliday") return localReader(READERS[part], timezone);
  const days = new Set(holidays?.days);
  const [first = Number.NaN, last = Number.NaN] = [holidays?.days[0], holidays?.days.at(-1)];
  return localReader((date) => {
    const day = Math.floor(date.getTime() / DAY_MS);
    if (!(day >= first && day <= last)) return Number.NaN;
    const isHoliday = days.has(day);
    if (part === "holiday") return isHoliday ? 1 : 0;
    return READERS.weekday(date) + (isHoliday ? 10 : 0);
  }, timezone);
}

/** Returns a reader of the value that a rule gives for an instant; null where the rule does not know it. */
export function dateRuleReader(rule: DateRule): (instant: number) => DateValue {
  const partOf = partReader(rule.part, rule);
  const { offset, values = [] } = rule;
  if (offset !== undefined)
    return (instant) => {
      const value = partOf(instant) + offset;
      return Number.isNaN(value) ? null : value;
    };
  const valueByPlace = new Map<number, DateValue>();
  return (instant) => {
    const place = partOf(instant);
    if (Number.isNaN(place)) return null;
    let value = valueByPlace.get(place);
    if (value === undefined) {
      value = values.findLast(({ from }) => from <= place)?.value ?? null;
      valueByPlace.set(place, value);
    }
    return value;
  };
}

/** Returns a column's value at a row as a rule gives it; null for a missing value. */
export function dateValueAt(column: Column, row: number): DateValue {
  if (column.type === "category") return column.categories[column.codes[row]!] ?? null;
  const value = column.values[row]!;
  if (Number.isNaN(value)) return null;
  return column.type === "boolean" ? value === 1 : value;
}

/** Returns whether a rule gives every known value of a column. */
export function ruleHolds(rule: DateRule, column: Column, instants: Float64Array): boolean {
  const ruled = dateRuleReader(rule);
  for (let row = 0; row < instants.length; row++) {
    const value = dateValueAt(column, row);
    if (value === null) continue;
    const expected = ruled(instants[row]!);
    if (expected !== null && expected !== value) return false;
  }
  return true;
}

/** Names what a rule reads: "month", "day of week and public holidays (US)". */
export function datePartText({ part, holidays }: DateRule): string {
  if (part === "monthAndDay") return "month and day";
  if (part !== "holiday" && part !== "weekdayAndHoliday") return FIELD_NAMES[part];
  const place = holidays ? ` (${[holidays.country, holidays.region ?? []].flat().join(", ")})` : "";
  const days = holidays?.observed ? "observed public holidays" : "public holidays";
  return `${part === "holiday" ? "" : `${FIELD_NAMES.weekday} and `}${days}${place}`;
}
