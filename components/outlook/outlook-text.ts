import { periodText } from "#components/time/period.ts";
import type { OutlookPeriod, OutlookUnit } from "#lib/contract/outlook";

/** Names a period of an outlook: "Nov 2026", "Q4 2026", "2026". */
export const outlookPeriodText = (
  { start }: Pick<OutlookPeriod, "start">,
  unit: OutlookUnit,
  timezone: string | null,
): string =>
  periodText({ unit, timezone: timezone ?? "UTC", isLastDay: false, weekStart: 0 }, Date.parse(start));

/** Writes an outlook as CSV, with full numbers. */
export function outlookCsv(periods: readonly OutlookPeriod[]): string {
  const names = [
    "start",
    "end",
    "actual",
    "actualRows",
    "forecast",
    "forecastRows",
    "total",
    "lower",
    "upper",
  ] as const;
  const lines = periods.map((period) => names.map((name) => period[name] ?? "").join(","));
  return [names.join(","), ...lines, ""].join("\n");
}
