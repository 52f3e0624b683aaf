import { describe, expect, it } from "vitest";
import { FaultList } from "./issues.ts";
import { parseCsv } from "./parse.ts";
import { CategoryReader } from "./value-columns.ts";

const codes = (file: string | Uint8Array) => parseCsv(file).faults.map(({ code }) => code);
const bytes = (text: string) => new TextEncoder().encode(text);

describe("files that mean harm are refused in bounded memory", () => {
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

  it("faults in each of a million cells of thousands of columns keep a hundred of them", () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `c${at}`);
    const row = `${names.map(() => "1").join(",")}\n${`${names.map(() => "NaN").join(",")}\n`.repeat(200)}`;
    const result = parseCsv(bytes(`${names.join(",")}\n${row}`));
    expect([result.faultCount, result.faults.length]).toEqual([1_000_000, 100]);
    expect(result.faults.at(-1)).toMatchObject({ row: 2, column: "c99" });
  });

  it("more different texts than a map can hold are a fault, not a crash", () => {
    const faults = new FaultList(100);
    const settings = { decimalComma: false, missing: new Set<string>(), timezone: "UTC", dateOrder: null };
    const reader = new CategoryReader(
      { name: "id", type: "category", missingAllowed: true },
      { ...settings, faults, sampleSize: 100 },
    );
    for (let at = 0; at < 1_000_002; at++) reader.push(String(at));
    expect(faults.count).toBe(2);
    expect(faults.faults[0]).toMatchObject({ row: 1_000_001, column: "id", code: "too_many_categories" });
  });

  it("a name of the largest length in every fault keeps the answer small", () => {
    const name = "n".repeat(1_000);
    const result = parseCsv(`${name},b\n1,1\n2,1\nx,1\n${"3,1\n".repeat(300)}${"x,1\n".repeat(200)}`);
    expect(result.faults.length).toBe(100);
    expect(JSON.stringify(result.faults).length).toBeLessThan(200_000);
  });
});
