import { expect, test } from "vitest";
import { valuesOf } from "#testing/csv-case-rows";
import { parseCsv } from "../parse.ts";
import { wideWarning } from "./wide-header.ts";

const wide = (times: string[], valueName = "value") => ({ kind: "wide" as const, times, valueName });
const months = ["2024-01", "2024-02", "2024-03"];

test("turns each row of a wide table into one row for each time", () => {
  const result = parseCsv("city;2024-01;2024-02;2024-03\nBonn;1,5;2;\n", {
    target: "value",
    timestamp: "time",
    shape: wide(months),
  });
  expect(result.issues).toEqual([]);
  expect(result.header).toEqual(["city", "time", "value"]);
  expect(valuesOf(result.table, "time")).toEqual(months.map((month) => `${month}-01T00:00:00.000Z`));
  expect(valuesOf(result.table, "value")).toEqual([1.5, 2, null]);
  expect(valuesOf(result.table, "city")).toEqual(["Bonn", "Bonn", "Bonn"]);
});

test("joins the year of the row with the month in the header", () => {
  const result = parseCsv("Year,Jan,Feb,J-D\n1990,0.1,0.2,0.15\n1991,0.3,0.4,0.35", {
    target: "anomaly",
    timestamp: ["Year", "month"],
    exclude: ["J-D"],
    shape: wide(["Jan", "Feb"], "anomaly"),
  });
  expect(result.issues).toEqual([]);
  expect(valuesOf(result.table, "Year")).toEqual(
    ["1990-01", "1990-02", "1991-01", "1991-02"].map((month) => `${month}-01T00:00:00.000Z`),
  );
  expect(valuesOf(result.table, "anomaly")).toEqual([0.1, 0.2, 0.3, 0.4]);
});

test("names the row and the column of the file", () => {
  const { issues, warnings } = parseCsv(
    `plant,2024-01,2024-02,2024-03\nA,1,2,3\n\nB,1,x2,3\nC,1\nD,5,6,-9999\n${"E,1,2,3\n".repeat(9)}F,3,2,-9999`,
    { target: "value", timestamp: "time", shape: wide(months), columns: [{ name: "value", type: "number" }] },
  );
  expect(warnings).toEqual([]);
  expect(issues).toMatchObject([
    { row: 2, column: "2024-02", message: 'Row 2, column "2024-02": "x2" is not a number.' },
    { row: 3, column: null, message: "Row 3 has 2 values; the header has 4 columns." },
  ]);
  const codes = parseCsv(`plant,2024-01,2024-02,2024-03\n${"E,1,2,3\n".repeat(9)}F,-9999,2,-9999`, {
    target: "value",
    shape: wide(months),
  });
  expect(codes.warnings).toMatchObject([{ code: "missing_code", firstRow: 10 }]);
  expect(codes.warnings[0]!.message).toMatch(/first in row 10\)/);
  expect(codes.warnings[0]!.choices![0]!.cells[0]).toMatchObject({ row: 10 });
});

test("names a column that is no time once, and columns that are absent", () => {
  const { issues } = parseCsv("plant,2024-01,2024-54\nA,1,2\nB,3,4\nC,3,4", {
    target: "value",
    timestamp: "time",
    shape: wide(["2024-01", "2024-54", "2024-02"]),
  });
  expect(issues.map(({ row, column }) => [row, column])).toEqual([
    [null, "2024-02"],
    [null, "2024-54"],
  ]);
  expect(issues[1]!.message).toMatch(/^Name of column "2024-54"/);
});

test("leaves out rows of the file", () => {
  const { table } = parseCsv("plant,2024-01,2024-02,2024-03\nA,1,2,3\nTotal,1,2,3", {
    target: "value",
    timestamp: "time",
    shape: wide(months),
    skipRows: [2],
  });
  expect(table.rowCount).toBe(3);
});

test("reads further files with other times, and long ones", () => {
  const options = {
    timestamp: "time",
    shape: wide(months),
    onlyDeclared: true,
    columns: [
      { name: "time", type: "timestamp" as const },
      { name: "value", type: "number" as const },
      { name: "plant", type: "category" as const },
    ],
  };
  const later = parseCsv("plant,2024-03,2024-04\nA,3,4", options);
  expect(valuesOf(later.table, "time")).toEqual(["2024-03-01T00:00:00.000Z", "2024-04-01T00:00:00.000Z"]);
  const long = parseCsv("time,plant,value\n2024-05,A,5", options);
  expect(valuesOf(long.table, "value")).toEqual([5]);
});

const row = (...cells: string[]) => [cells];
test.each<[string, string[], string[][], unknown]>([
  ["months", ["city", ...months], row("Bonn", "1", "2", "3"), { timestamp: ["time"] }],
  ["quarters", ["2023Q3", "2023Q4", "2024Q1"], row("1", "2", "3"), { timestamp: ["time"] }],
  ["years", ["country", "1999", "2000", "2001"], row("DE", "1", "2", "3"), { timestamp: ["time"] }],
  [
    "years, last first",
    ["country", "2001", "2000", "1999"],
    row("DE", "1", "2", "3"),
    { timestamp: ["time"] },
  ],
  [
    "month names with years",
    ["Jan 2024", "Feb 2024", "Mar 2024"],
    row("1", "2", "3"),
    { timestamp: ["time"] },
  ],
  ["short years", ["Jan-23", "Feb-23", "Mar-23"], row("1", "2", "3"), { timestamp: ["time"] }],
  [
    "days",
    ["shop", "31.01.2024", "01.02.2024", "02.02.2024"],
    row("a", "1", "2", "3"),
    { timestamp: ["time"] },
  ],
  [
    "months beside years",
    ["Year", "Jan", "Feb", "Mar", "J-D"],
    row("1990", "1", "2", "3", "6"),
    { timestamp: ["Year", "month"], exclude: ["J-D"] },
  ],
  [
    "two months beside years",
    ["Year", "Jan", "Feb", "J-D"],
    row("1990", "1", "2", "3"),
    { timestamp: ["Year", "month"], exclude: ["J-D"] },
  ],
  [
    "German months",
    ["Jahr", "Januar", "Februar", "M\u00e4rz"],
    row("1990", "1", "2", "3"),
    { timestamp: ["Jahr", "month"] },
  ],
  [
    "quarters beside years",
    ["year", "Q1", "Q2", "Q3", "Q4"],
    row("1990", "1", "2", "3", "6"),
    { timestamp: ["year", "quarter"] },
  ],
  [
    "years beside months",
    ["month", "2021", "2022", "2023"],
    row("Jan", "1", "2", "3"),
    { timestamp: ["year", "month"] },
  ],
])("offers to turn columns into rows: %s", (_, header, rows, options) => {
  const [warning] = wideWarning(header, rows);
  expect(warning).toMatchObject({
    code: "wide_table",
    choices: [{ options: { target: "value", ...(options as object) } }],
  });
  const chosen = warning!.choices![0]!.options;
  const csv = [header, ...rows].map((cells) => cells.join(",")).join("\n");
  const result = parseCsv(csv, chosen as Parameters<typeof parseCsv>[1]);
  expect(result.issues).toEqual([]);
  expect(result.times?.column).toBe((options as { timestamp: string[] }).timestamp[0]);
});

test.each([
  [["t", "x1", "x2", "x3"]],
  [["date", "temp", "2m", "10m", "100m"]],
  [["id", "2019", "2020"]],
  [["year", "may", "rain", "sun"]],
  [["zip", "10115", "20095", "80331"]],
  [["2019", "2021", "2020", "x"]],
])("offers nothing for other headers: %s", (header) => {
  expect(wideWarning(header, row(...header.map(() => "1")))).toEqual([]);
});
