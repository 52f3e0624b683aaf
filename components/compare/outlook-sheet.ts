import type { Shown } from "#components/display/shown.ts";
import { outlookPeriodText } from "#components/outlook/outlook-text.ts";
import { type Cell, sheetOf, type WorkbookSheet } from "#components/workbook/workbook-sheet.ts";
import type { OutlookPeriod, OutlookUnit } from "#lib/contract/outlook";

/** Actual values to date and forecast of the rest of a scenario, by a unit; null if they were not read. */
export type ScenarioOutlook = {
  title: string;
  unit: OutlookUnit;
  /** Name of the unit: "Months". */
  unitName: string;
  periods: OutlookPeriod[] | null;
};

/** Returns one sheet with the outlooks of scenarios; none without times. */
export function outlookSheets(
  outlooks: readonly ScenarioOutlook[],
  { target, timezone }: { target: Shown; timezone: string | null },
): WorkbookSheet[] {
  if (outlooks.length === 0) return [];
  const heads = ["Actual to date", "Forecast of the rest", "Total", "Lower 90 %", "Upper 90 %"];
  return [
    sheetOf("Outlook", [
      [
        ...["Scenario", "Unit", "Period", "Actual rows", "Forecast rows"],
        ...heads.map((head) => target.head(head)),
      ],
      ...outlooks.flatMap(({ title, unit, unitName, periods }): Cell[][] =>
        periods === null
          ? [[title, unitName, "Not listed: too many rows or periods."]]
          : periods.map((one) => [
              ...[title, unitName, outlookPeriodText(one, unit, timezone)],
              ...[one.actualRows, one.forecastRows],
              ...[one.actual, one.forecast, one.total, one.lower, one.upper],
            ]),
      ),
    ]),
  ];
}
