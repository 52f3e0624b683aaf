import type { DatePart } from "#lib/contract/date-rule";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment } from "#lib/contract/scenarios";

type Value = Adjustment["value"];

/** Parts of a date with few values: the first one, and their number. */
const listed: Partial<Record<DatePart, [first: number, count: number]>> = {
  quarter: [1, 4],
  weekday: [1, 7],
  month: [1, 12],
  hour: [0, 24],
  dayOfMonth: [1, 31],
};

/** Maximum number of values of a list. */
const CHOICES_MAX = 60;

/**
 * Returns the values that an input can be set to: those of booleans, categories, codes such as 1 to 4, and parts of a date.
 * Null for other numbers, which change by an amount or in per cent.
 */
export function choicesOf({ type, categories, codes, dateRule }: InputFeature): Value[] | null {
  if (type === "boolean") return [true, false];
  if (type === "category") return categories ?? [];
  if (dateRule?.offset !== undefined) {
    const part = listed[dateRule.part];
    if (!part) return null;
    const [first, count] = part;
    return Array.from({ length: count }, (_, at) => first + at + dateRule.offset!);
  }
  const ruled = dateRule?.values?.flatMap(({ value }) => (typeof value === "number" ? value : []));
  const values = ruled ? [...new Set(ruled)].sort((a, b) => a - b) : (codes ?? []);
  return values.length > 0 && values.length <= CHOICES_MAX ? values : null;
}

/** Returns the inputs with the greatest effect first. Inputs without a known effect come last, in the model's order. */
export function byEffect<Feature extends Pick<InputFeature, "name">>(
  features: readonly Feature[],
  importance: readonly { feature: string; gain: number }[],
): Feature[] {
  const gains = new Map(importance.map(({ feature, gain }) => [feature, gain]));
  const gainOf = ({ name }: Feature) => gains.get(name) ?? 0;
  return features.toSorted((a, b) => gainOf(b) - gainOf(a));
}
