import { monthsOf, periodText } from "#components/time/period.ts";
import type { OutlookPeriod, OutlookUnit } from "#lib/contract/outlook";

const units: readonly (readonly [OutlookUnit, string])[] = [
  ["month", "Months"],
  ["quarter", "Quarters"],
  ["year", "Years"],
];

/**
 * Returns the units of an outlook that are not shorter than a row: those of quarterly rows are quarters and years.
 *
 * @param frequency ISO 8601 duration of a row; null if unknown
 */
export function outlookUnits(frequency: string | null): typeof units {
  const [, count, unit] = /^P(\d+)([MY])$/.exec(frequency ?? "") ?? [];
  const months = Number(count ?? 0) * (unit === "Y" ? 12 : 1);
  const long = units.filter(([name]) => monthsOf[name]! >= months);
  return long.length > 0 ? long : units.slice(-1);
}

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
