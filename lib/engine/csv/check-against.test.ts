import { describe, expect, it } from "vitest";
import { checkAgainst, type ExpectedFeature, optionsFor } from "./check-against.ts";
import type { CsvOptions } from "./options.ts";
import { parseCsv } from "./parse.ts";

const features: ExpectedFeature[] = [
  { name: "day", type: "timestamp", role: "timestamp", required: true },
  { name: "temp", type: "number", role: "input", required: true, min: 0, max: 30 },
  { name: "wind_speed", type: "number", role: "input", required: false },
  { name: "city", type: "category", role: "input", required: true, categories: ["Bonn", "Köln"] },
  { name: "holiday", type: "boolean", role: "input", required: true, missingAllowed: true },
  { name: "demand", type: "number", role: "upstream", required: false },
];

function check(csv: string, base: CsvOptions = {}) {
  return checkAgainst(parseCsv(csv, optionsFor(features, base)), features, { mustBeSorted: true });
}

describe("checkAgainst", () => {
  it("accepts a matching file, with optional columns absent or cells empty", () => {
    const csv = "day,temp,wind_speed,city,holiday\n2024-01-01,1,,Bonn,true\n2024-01-02,2,3,Köln,";
    expect(check(csv)).toEqual({ valid: true, rowCount: 2, issues: [], issueCount: 0, warnings: [] });
  });

  it("reports every missing column with the nearest name, and warns about unknown columns", () => {
    const result = check("day,Temp,city,holliday,extra\n2024-01-01,1,Bonn,true,1");
    expect(result.valid).toBe(false);
    expect(result.issues).toMatchObject([
      { row: null, column: "temp", code: "missing_column", nearest: "Temp" },
      { row: null, column: "holiday", code: "missing_column", nearest: "holliday" },
    ]);
    expect(result.warnings).toMatchObject([
      { code: "unknown_column", column: "Temp", nearest: "temp" },
      { code: "unknown_column", column: "holliday", nearest: "holiday" },
      { code: "unknown_column", column: "extra" },
    ]);
  });

  it("ignores columns that the model does not use and issues in them", () => {
    const result = check(
      "day,temp,city,holiday,note,when\n2024-01-01,1,Bonn,1,NaN,1/2/2024\n2024-01-02,1,Bonn,1,1,1/2/2024",
    );
    expect(result.issues).toEqual([]);
    expect(result.warnings.map(({ column }) => column)).toEqual(["note", "when"]);
  });

  it("reports a missing timestamp once", () => {
    const result = check("days,temp,city,holiday\n2024-01-01,1,Bonn,true");
    expect(result.issues).toMatchObject([{ column: "day", code: "missing_column", nearest: "days" }]);
    expect(result.issueCount).toBe(1);
  });

  it("reports wrong and missing values with row, column and expectation", () => {
    const csv = "day,temp,city,holiday\n2024-01-01,warm,,true\n2024-01-02,,Bonn,maybe\n2024-01-03,1,Bonn,0";
    expect(check(csv).issues).toMatchObject([
      { row: 1, column: "temp", value: "warm", code: "not_a_number", expected: "a number" },
      { row: 1, column: "city", value: null, code: "missing_value" },
      { row: 2, column: "temp", value: null, code: "missing_value" },
      { row: 2, column: "holiday", value: "maybe", code: "not_a_boolean", expected: "true or false" },
    ]);
  });

  it("reads numbers as text for a category feature", () => {
    const result = check("day,temp,city,holiday\n2024-01-01,1,53111,true");
    expect(result.valid).toBe(true);
    expect(result.warnings).toMatchObject([{ code: "unseen_category", column: "city", rows: 1 }]);
  });

  it("rejects times that go back or repeat, in a series only", () => {
    const csv =
      "day,temp,city,holiday\n2024-01-02,1,Bonn,1\n2024-01-01,1,Bonn,1\n2024-01-03,1,Bonn,1\n2024-01-03,1,Bonn,1";
    expect(check(csv).issues).toMatchObject([
      { row: 2, column: "day", value: "2024-01-01T00:00:00.000Z", code: "timestamps_unsorted" },
      { row: 4, column: "day", code: "timestamps_duplicate" },
    ]);
    expect(checkAgainst(parseCsv(csv, optionsFor(features)), features).valid).toBe(true);
  });

  it("warns about values outside the training range with their number", () => {
    const csv = "day,temp,city,holiday\n2024-01-01,-1,Bonn,1\n2024-01-02,31,Rome,1\n2024-01-03,30,Bonn,1";
    const result = check(csv);
    expect(result.valid).toBe(true);
    expect(result.warnings).toMatchObject([
      { code: "outside_range", column: "temp", rows: 2 },
      { code: "unseen_category", column: "city", rows: 1 },
    ]);
  });

  it("does not report the joined hour column as unknown", () => {
    const csv = "day,hr,temp,city,holiday\n2024-01-01,0,1,Bonn,1\n2024-01-01,1,1,Bonn,1";
    expect(check(csv, { timestamp: ["day", "hr"] })).toMatchObject({ valid: true, warnings: [] });
  });

  it("counts all issues and lists the first 100", () => {
    const rows = Array.from({ length: 300 }, () => "2024-01-01,x,Bonn,1").join("\n");
    const result = check(`day,temp,city,holiday\n${rows}`);
    expect(result.issueCount).toBe(300 + 299);
    expect(result.issues).toHaveLength(100);
    expect(result.issues.at(-1)?.row).toBe(51);
  });

  it("reports only the empty file", () => {
    expect(check("").issues.map(({ code }) => code)).toEqual(["empty_file"]);
  });
});
