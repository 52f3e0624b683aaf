import { describe, expect, it } from "vitest";
import { IssueList } from "./issues.ts";
import { parseCsv } from "./parse.ts";
import { CategoryReader } from "./value-columns.ts";

const codes = (file: string | Uint8Array) => parseCsv(file).issues.map(({ code }) => code);
const bytes = (text: string) => new TextEncoder().encode(text);

describe("rejects hostile files in bounded memory", () => {
  it.each([
    ["100,000 columns", Array.from({ length: 100_000 }, (_, at) => `c${at}`).join(","), "too_many_columns"],
    ["a million columns without names", ",".repeat(1_000_000), "too_many_columns"],
    ["a cell of 64 MiB", `a,b\n1,${"x".repeat(64 << 20)}`, "row_too_long"],
    ["a quoted cell of 64 MiB", `a,b\n1,"${"x".repeat(64 << 20)}"`, "unclosed_quote"],
    ["quotes and nothing else", '"'.repeat(8 << 20), "row_too_long"],
    ["a million rows of commas", `a,b\n${",,,,\n".repeat(1_000_000)}`, "ragged_row"],
  ])("%s", (_, file, expected) => {
    expect(codes(bytes(file))).toContain(expected);
  });

  it("keeps 100 issues of a million cells in thousands of columns", () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `c${at}`);
    const row = `${names.map(() => "1").join(",")}\n${`${names.map(() => "NaN").join(",")}\n`.repeat(200)}`;
    const result = parseCsv(bytes(`${names.join(",")}\n${row}`));
    expect([result.issueCount, result.issues.length]).toEqual([1_000_000, 100]);
    expect(result.issues.at(-1)).toMatchObject({ row: 2, column: "c99" });
  });

  it("reports more distinct texts than a map can hold, without a crash", () => {
    const issues = new IssueList();
    const settings = {
      decimalComma: false,
      missing: new Set<string>(),
      missingNumbers: new Set<number>(),
      isMarkSure: true,
      valueFormats: new Map(),
      timezone: "UTC",
      dateOrder: null,
      delimiter: "," as const,
      timeFormats: new Map(),
      isUnstored: false,
      warn: () => {},
      numberFormats: new Map(),
    };
    const reader = new CategoryReader(
      { name: "id", type: "category", missingAllowed: true },
      { ...settings, issues, sampleSize: 100 },
    );
    for (let at = 0; at < 1_000_002; at++) reader.push(String(at));
    expect(issues.count).toBe(2);
    expect(issues.issues[0]).toMatchObject({ row: 1_000_001, column: "id", code: "too_many_categories" });
  });

  it("keeps the response small if every issue has the longest name", () => {
    const name = "n".repeat(1_000);
    const result = parseCsv(`${name},b\n1,1\n2,1\nx,1\n${"3,1\n".repeat(300)}${"x,1\n".repeat(200)}`);
    expect(result.issues.length).toBe(100);
    expect(JSON.stringify(result.issues).length).toBeLessThan(200_000);
  });
});
