import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#lib/contract/limits";
import { type Issue, IssueList } from "./issues.ts";

const header = ["a", "b", "c"];
const issue = fc.record({
  row: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
  column: fc.constantFrom(null, ...header, "not there"),
});

describe("IssueList", () => {
  it("keeps the first issues in file order for any order of arrival, and counts all", () => {
    fc.assert(
      fc.property(fc.array(issue, { maxLength: 300, size: "max" }), (places) => {
        const list = new IssueList(header);
        const all = places.map(
          (place, at): Issue => ({ ...place, value: String(at), code: "not_finite", message: "" }),
        );
        for (const one of all) list.addLazily(one.row, one.column, () => one);
        const place = ({ column }: Issue) => (column === null ? -1 : [...header, column].indexOf(column));
        const sorted = all.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0) || place(a) - place(b));
        expect(list.issues).toEqual(sorted.slice(0, limits.errorDetails));
        expect(list.count).toBe(all.length);
      }),
      { numRuns: 200 },
    );
  });

  it("creates no issue that it does not keep", () => {
    const list = new IssueList();
    let made = 0;
    for (let row = 1; row <= 1_000; row++) {
      list.addLazily(row, "a", () => {
        made++;
        return { row, column: "a", value: null, code: "not_finite", message: "" };
      });
    }
    expect([made, list.count]).toEqual([limits.errorDetails, 1_000]);
  });

  it("adds the issues and the count of another list", () => {
    const kept: Issue = { row: 1, column: null, value: null, code: "ragged_row", message: "" };
    const list = new IssueList();
    list.addAll({ issues: [kept], count: 3 });
    expect([list.issues, list.count]).toEqual([[kept], 3]);
  });
});
