import { expect, test } from "vitest";
import writeXlsxFile from "write-excel-file/node";
import { displaysOf } from "#components/display/shown.ts";
import type { Difference } from "#lib/contract/scenario-differences";
import type { Comparison } from "#lib/contract/scenario-series";
import { workbookIssue, workbookSheets } from "./workbook.ts";

const summary = { mean: 1.5, min: 1, max: 2, sum: 3, first: 1, last: 2 };
const scenario = (id: string, title: string) => ({
  id,
  title,
  color: "#123456",
  checkpointId: "c",
  checkpointLabel: "Winter",
  rowCount: 2,
  summary,
});
const series = (scenarioId: string, values: (number | null)[], differences: (number | null)[]) => ({
  scenarioId,
  values,
  lower: [0, null],
  upper: [3, null],
  differences,
  cumulative: differences,
  totalDifference: 1,
  percentDifference: 33.3,
  rowCount: 2,
});
const comparison = {
  baselineId: "a",
  scenarios: [scenario("a", "=Base"), scenario("b", "Warm")],
  timestamps: ["1899-12-31T00:00:00.000Z", "2026-02-01T00:00:00.000Z"],
  pointCount: 2,
  series: [series("a", [1, 2], [0, 0]), series("b", [2, null], [1, null])],
  actual: [1, null],
  differs: {
    inputs: [{ feature: "temp", scenarioIds: ["b"], changedRows: 1 }],
    checkpoints: [],
    dependentCheckpoints: [{ projectId: "p", checkpointId: "u", label: "Up", scenarioIds: ["a", "b"] }],
  },
} as unknown as Comparison;
const difference = {
  scenarioId: "b",
  totalDifference: 1,
  parts: [{ kind: "input", feature: "temp", projectId: null, total: 1, values: [1] }],
} as unknown as Difference;

const column = { displayName: null, unit: null, decimals: null };
const displays = displaysOf({ display: { temp: { ...column, unit: "°C" } }, units: { demand: "MWh" } });
const names = { target: displays("demand"), displays };

/** The second scenario has a row more, which the totals exclude. */
const shown: Comparison = {
  ...comparison,
  series: comparison.series.map((one, at) => ({ ...one, rowCount: 2 + at })),
};
const totals: Comparison = {
  ...comparison,
  commonSpan: { from: "2026-02-01T00:00:00.000Z", to: "2026-02-02T00:00:00.000Z" },
};
const span = ["Sun, 1 Feb 2026", "Mon, 2 Feb 2026"];

const rowsOf = (differences: Difference[]) =>
  Object.fromEntries(
    workbookSheets({ comparison: shown, totals, differences }, names).map(({ sheet, data }) => [
      sheet,
      data.slice(1),
    ]),
  );

test("lays out summary, series, inputs and why, one sheet each", () => {
  const sheets = rowsOf([difference]);
  expect(Object.keys(sheets)).toEqual(["Summary", "Series", "Inputs", "Why"]);
  expect(sheets.Summary).toEqual([
    ["=Base", "yes", "Winter", ...span, 2, 2, 3, null, null, 1.5, 1, 2, null, null],
    ["Warm", "", "Winter", ...span, 2, 3, 3, null, null, 1.5, 1, 2, 1, 33.3],
  ]);
  expect(sheets.Series).toEqual([
    ["1899-12-31T00:00:00.000Z", 1, 1, 0, 3, 2, 0, 3, 1],
    [new Date("2026-02-01T00:00:00Z"), null, 2, null, null, null, null, null, null],
  ]);
  expect(sheets.Inputs).toEqual([
    ["Input", "Temp (°C)", 1, "Warm"],
    ["Upstream checkpoint", "Up", null, "=Base; Warm"],
  ]);
  expect(sheets.Why).toEqual([
    ["Warm", "Temp", null, 1],
    ["Warm", "Total", null, 1],
  ]);
  expect(rowsOf([]).Why).toEqual([["Warm", "Not explained", "The scenario has many rows.", null]]);
});

test("has as many headings as columns on each sheet", () => {
  for (const { data } of workbookSheets({ comparison, totals, differences: [difference] }, names)) {
    expect(new Set(data.map(({ length }) => length)).size).toBe(1);
  }
});

test("names target and unit in the headings", () => {
  const sheets = workbookSheets({ comparison, totals, differences: [difference] }, names);
  const headings = sheets.map(({ data }) => data[0]!.map((cell) => (cell as { value: string }).value));
  expect(headings[0]).toContain("Sum of Demand (MWh)");
  expect(headings[1]!.slice(0, 3)).toEqual(["Day", "Actual Demand (MWh)", "=Base (MWh)"]);
  expect(headings[3]).toContain("Contribution to the difference of Demand (MWh)");
});

test("names the limit for too many values", () => {
  expect(workbookIssue(100_000, 2)).toBeNull();
  expect(workbookIssue(1_000_000, 2)).toMatch(/^1,000,000 rows of 2 scenarios are too many/);
});

test("makes a file that begins like a ZIP archive", async () => {
  const file = await writeXlsxFile(workbookSheets({ comparison, totals, differences: [] }, names)).toBuffer();
  expect(file.subarray(0, 2).toString()).toBe("PK");
});

test("fits columns to their texts, and writes times of day only if there are some", () => {
  const [, days] = workbookSheets({ comparison, totals, differences: [] }, names);
  expect(days).toMatchObject({ dateFormat: "yyyy-mm-dd" });
  const timestamps = ["2026-02-01T00:00:00.000Z", "2026-02-01T01:00:00.000Z"];
  const sheets = workbookSheets(
    { comparison: { ...comparison, timestamps }, totals, differences: [] },
    names,
  );
  expect(sheets[1]).toMatchObject({ dateFormat: "yyyy-mm-dd hh:mm" });
  for (const { data, columns } of sheets)
    expect(columns.map(({ width }) => width >= 17 && width <= 50)).toEqual(data[0]!.map(() => true));
  expect(sheets[0]!.columns[8]!.width).toBeGreaterThan("Sum, lower 90 % of Demand".length);
});

test("names periods, and marks those that the rows do not cover", () => {
  const timestamps = ["2025-12-31T23:00:00.000Z", "2026-03-31T22:00:00.000Z"];
  const buckets = {
    ...({ unit: "quarter", aggregate: "sum", timezone: "Europe/Berlin", complete: [true, false] } as const),
    from: timestamps[0]!,
    to: "2026-05-01T00:00:00.000Z",
  };
  const quarters = { ...comparison, timestamps, buckets: { ...buckets, complete: [true, false] } };
  const seriesOf = (one: Comparison, frequency: string | null) => {
    const calendar = { frequency, timezone: "Europe/Berlin" };
    const sheets = workbookSheets({ comparison: one, totals, differences: [] }, { ...names, calendar });
    return sheets[1]!.data.map((row) => row.slice(0, 3));
  };
  const bold = (value: string) => ({ value, fontWeight: "bold" });
  expect(seriesOf(quarters, "PT1H")).toEqual([
    [bold("Quarter (Europe/Berlin)"), bold("Begins"), bold("Complete")],
    ["Q1 2026", new Date("2026-01-01T00:00:00Z"), "yes"],
    ["Q2 2026", new Date("2026-04-01T00:00:00Z"), "no"],
  ]);
  expect(seriesOf({ ...comparison, timestamps }, "P3M").map((row) => row.slice(0, 2))).toEqual([
    [bold("Quarter"), bold("Begins")],
    ["Q1 2026", new Date("2026-01-01T00:00:00Z")],
    ["Q2 2026", new Date("2026-04-01T00:00:00Z")],
  ]);
});
