import { describe, expect, it } from "vitest";
import { valuesOf } from "#testing/csv-case-rows";
import { acceptCases, caseFeatures, rejectCases } from "#testing/csv-cases";
import { checkAgainst, optionsFor } from "./check-against.ts";
import { parseCsv } from "./parse.ts";

const check = (bytes: Uint8Array) => {
  const file = parseCsv(bytes, optionsFor(caseFeatures));
  return { ...checkAgainst(file, caseFeatures, { mustBeSorted: true }), table: file.table };
};

describe("accepted CSV in the browser reads with identical results:", () => {
  it.each(acceptCases)("$name", ({ bytes, rows }) => {
    const { issues, rowCount, table } = check(bytes);
    expect(issues).toEqual([]);
    expect(rowCount).toBe(rows.length);
    for (const name of ["when", "temp", "city", "open"] as const)
      expect(valuesOf(table, name)).toEqual(rows.map((row) => row[name]));
  });
});

describe("rejected CSV in the browser reports row, column, value and expectation:", () => {
  it.each(rejectCases)("$name", ({ bytes, issues }) => {
    const found = check(bytes);
    expect(found.issues).toMatchObject(issues);
    expect(found.issueCount).toBe(issues.length);
    for (const { message, row, column, value } of found.issues) {
      expect(message).toMatch(/^[A-Z].*[.?]$/s);
      if (row !== null && column !== null) expect(message).toContain(value ?? `Row ${row}`);
    }
  });
});
