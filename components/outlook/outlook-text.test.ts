import { expect, it } from "vitest";
import { outlookCsv, outlookPeriodText, outlookUnits } from "./outlook-text.ts";

const period = {
  start: "2026-06-30T22:00:00.000Z",
  end: "2026-09-30T22:00:00.000Z",
  actual: null,
  actualRows: 0,
  forecast: 12.5,
  forecastRows: 2,
  total: 12.5,
  lower: 10,
  upper: 15,
};

it("names a period in the zone of the dataset", () => {
  expect(outlookPeriodText(period, "quarter", "Europe/Berlin")).toBe("Q3 2026");
  expect(outlookPeriodText(period, "month", "Europe/Berlin")).toBe("Jul 2026");
});

it("offers units that are not shorter than a row", () => {
  const namesOf = (frequency: string | null) => outlookUnits(frequency).map(([name]) => name);
  for (const frequency of ["P1M", "P7D", "P1D", "PT1H", null])
    expect(namesOf(frequency)).toEqual(["month", "quarter", "year"]);
  expect(["P3M", "P6M", "P1Y", "P5Y"].map(namesOf)).toEqual([
    ["quarter", "year"],
    ["year"],
    ["year"],
    ["year"],
  ]);
});

it("writes CSV with empty cells for missing values", () => {
  expect(outlookCsv([period])).toBe(
    "start,end,actual,actualRows,forecast,forecastRows,total,lower,upper\n2026-06-30T22:00:00.000Z,2026-09-30T22:00:00.000Z,,0,12.5,2,12.5,10,15\n",
  );
});
