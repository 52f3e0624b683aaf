import type { DateRule } from "#lib/contract/date-rule";
import type { Column } from "#lib/contract/table";
import { datePartText, dateRuleReader, ruleHolds } from "#lib/engine/time/date-rule";

/** Values of a column that follow from the date. */
export type DatedValues = {
  /** The known column, with all categories of the rule. */
  column: Column;
  /** Values at the instants, of categories their codes; NaN where the rule knows none. */
  values: Float64Array;
  /** Description for people. */
  method: string;
};

/**
 * Returns the values of a column at some instants by its rule. Null without a rule, or if a known row contradicts it, as
 * rows that were appended after the training can.
 */
export function valuesByDate(
  column: Column,
  rule: DateRule | undefined,
  times: { known: Float64Array; instants: Float64Array },
): DatedValues | null {
  if (rule === undefined || !ruleHolds(rule, column, times.known)) return null;
  const dated = Array.from(times.instants, dateRuleReader(rule));
  const method = `follows the date: ${datePartText(rule)}`;
  if (column.type !== "category") {
    const values = Float64Array.from(dated, (value) => (value === null ? Number.NaN : Number(value)));
    return { column, values, method };
  }
  const texts = dated.filter((value) => typeof value === "string");
  const categories = [...new Set([...column.categories, ...texts])];
  const codeOf = new Map(categories.map((category, code) => [category, code]));
  const values = Float64Array.from(dated, (value) => codeOf.get(String(value)) ?? Number.NaN);
  return { column: { ...column, categories }, values, method };
}
