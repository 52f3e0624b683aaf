import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Issue, IssueList } from "./issues.ts";

const header = ["a", "b", "c"];
const issue = fc.record({
  row: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
  column: fc.constantFrom(null, ...header, "not there"),
});

describe("IssueList", () => {
  it("keeps the first issues in file order for any order of arrival, and counts all", () => {
    fc.assert(
      fc.property(fc.array(issue, { maxLength: 60 }), fc.nat(20), (places, limit) => {
        const list = new IssueList(limit, header);
        const all = places.map(
          (place, at): Issue => ({ ...place, value: String(at), code: "not_finite", message: "" }),
        );
        for (const one of all) list.addLazily(one.row, one.column, () => one);
        const place = ({ column }: Issue) => (column === null ? -1 : [...header, column].indexOf(column));
        const sorted = all.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0) || place(a) - place(b));
        expect(list.issues).toEqual(sorted.slice(0, limit));
        expect(list.count).toBe(all.length);
      }),
      { numRuns: 500 },
    );
  });

  it("creates no issue that it does not keep", () => {
    const list = new IssueList(2);
    let made = 0;
    for (let row = 1; row <= 1_000; row++) {
      list.addLazily(row, "a", () => {
        made++;
        return { row, column: "a", value: null, code: "not_finite", message: "" };
      });
    }
    expect([made, list.count]).toEqual([2, 1_000]);
  });

  it("adds the issues and the count of another list", () => {
    const other = new IssueList(1);
    for (const row of [3, 2, 1])
      other.add({ row, column: null, value: null, code: "ragged_row", message: "" });
    const list = new IssueList(5);
    list.addAll(other);
    expect([list.issues.map(({ row }) => row), list.count]).toEqual([[1], 3]);
  });
});
