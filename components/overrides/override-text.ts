import type { Shown } from "#components/display/shown.ts";
import { type SeriesCalendar, seriesTimes } from "#components/time/period.ts";
import { formatPercent } from "#components/ui/format.ts";
import type { ScenarioOverride } from "#lib/contract/overrides";

/** Names the span of an override by the step of the series. */
export function spanText(
  { from, to }: Pick<ScenarioOverride, "from" | "to">,
  calendar: SeriesCalendar,
): string {
  const [first, last] = seriesTimes([from, to], calendar);
  return first === last ? first! : `${first} – ${last}`;
}

/** Describes the change: "Set to 260", "+30", "+10 %". */
export function changeText(
  { operation, value }: Pick<ScenarioOverride, "operation" | "value">,
  target: Shown,
): string {
  if (operation === "set") return `Set to ${target.text(value)}`;
  return operation === "add" ? target.withUnit(target.signed(value)) : formatPercent((value - 1) * 100);
}

/** Names the series that an override changes; null for all. */
export function whereText({ where }: Pick<ScenarioOverride, "where">): string | null {
  if (where === null) return null;
  return where.map(({ feature, operator, value }) => `${feature} ${operator} ${value}`).join(", ");
}
