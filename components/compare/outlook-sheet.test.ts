import { expect, it } from "vitest";
import { Shown } from "#components/display/shown.ts";
import type { OutlookPeriod } from "#lib/contract/outlook";
import { outlookSheets } from "./outlook-sheet.ts";

const year = {
  start: "2026-01-01T00:00:00.000Z",
  end: "2027-01-01T00:00:00.000Z",
  actual: 10,
  actualRows: 2,
  forecast: 20.5,
  forecastRows: 3,
  total: 30.5,
  lower: 25,
  upper: 36,
} satisfies OutlookPeriod;
const names = { target: new Shown("Demand", "MWh"), timezone: "UTC" };
const unit = { unit: "year", unitName: "Years" } as const;

it("lists the periods of each scenario with full numbers, and names those that were not read", () => {
  const [sheet] = outlookSheets(
    [
      { title: "Base", ...unit, periods: [year] },
      { title: "Long", ...unit, periods: null },
    ],
    names,
  );
  const [heads, ...rows] = sheet!.data;
  expect(heads).toContainEqual({ value: "Total (MWh)", fontWeight: "bold" });
  expect(rows).toEqual([
    ["Base", "Years", "2026", 2, 3, 10, 20.5, 30.5, 25, 36],
    ["Long", "Years", "Not listed: too many rows or periods."],
  ]);
});

it("returns no sheet for scenarios without times", () => {
  expect(outlookSheets([], names)).toEqual([]);
});
