import type { Shown } from "#components/display/shown.ts";
import { isDayBound, localDay, startOfDay } from "#components/time/local-day.ts";
import { type SeriesCalendar, seriesTimes } from "#components/time/period.ts";
import { formatPercent } from "#components/ui/format.ts";
import { instantOf } from "#lib/contract/instant";
import type { ScenarioOverride } from "#lib/contract/overrides";

/** Names the span of an override by the step of the series. */
export function spanText(
  { from, to }: Pick<ScenarioOverride, "from" | "to">,
  calendar: SeriesCalendar,
): string {
  const { timezone } = calendar;
  // Ends of days are shown as days.
  const dayOf = (time: string) =>
    isDayBound(time, timezone)
      ? new Date(instantOf(startOfDay(localDay(time, timezone), timezone))).toISOString()
      : time;
  const [first, last] = seriesTimes([dayOf(from), dayOf(to)], calendar);
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
