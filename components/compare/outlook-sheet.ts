import type { Shown } from "#components/display/shown.ts";
import { outlookPeriodText } from "#components/outlook/outlook-text.ts";
import { type Cell, sheetOf, type WorkbookSheet } from "#components/workbook/workbook-sheet.ts";
import type { OutlookPeriod, OutlookUnit } from "#lib/contract/outlook";

/** Units of the sheet, each with the name of its rows. */
export const sheetUnits = [
  ["month", "Month"],
  ["year", "Year"],
] as const satisfies readonly (readonly [OutlookUnit, string])[];

/** Actual values to date and forecast of the rest of a scenario, by a unit of `sheetUnits`. */
export type ScenarioOutlook = {
  title: string;
  unit: (typeof sheetUnits)[number][0];
  periods: OutlookPeriod[];
};

/** Returns one sheet with the outlooks of scenarios; none without times. */
export function outlookSheets(
  outlooks: readonly ScenarioOutlook[],
  { target, timezone }: { target: Shown; timezone: string | null },
): WorkbookSheet[] {
  if (outlooks.length === 0) return [];
  const heads = ["Actual to date", "Forecast of the rest", "Total", "Lower 90 %", "Upper 90 %"];
  const names = new Map(sheetUnits);
  return [
    sheetOf("Outlook", [
      [
        ...["Scenario", "Unit", "Period", "Actual rows", "Forecast rows"],
        ...heads.map((head) => target.head(head)),
      ],
      ...outlooks.flatMap(({ title, unit, periods }) =>
        periods.map((one): Cell[] => [
          ...[title, names.get(unit)!, outlookPeriodText(one, unit, timezone)],
          ...[one.actualRows, one.forecastRows],
          ...[one.actual, one.forecast, one.total, one.lower, one.upper],
        ]),
      ),
    ]),
  ];
}
