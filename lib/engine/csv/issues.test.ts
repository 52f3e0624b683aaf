import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Fault, FaultList } from "./issues.ts";

const header = ["a", "b", "c"];
const fault = fc.record({
  row: fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }),
  column: fc.constantFrom(null, ...header, "not there"),
});

describe("FaultList", () => {
  it("keeps the first in the order of the file, in whatever order they come, and counts all", () => {
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 60 }), fc.nat(20), (places, limit) => {
        const list = new FaultList(limit, header);
        const all = places.map(
          (place, at): Fault => ({ ...place, value: String(at), code: "not_finite", message: "" }),
        );
        for (const one of all) list.addLazily(one.row, one.column, () => one);
        const place = ({ column }: Fault) => (column === null ? -1 : [...header, column].indexOf(column));
        const sorted = all.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0) || place(a) - place(b));
        expect(list.faults).toEqual(sorted.slice(0, limit));
        expect(list.count).toBe(all.length);
      }),
      { numRuns: 500 },
    );
  });

  it("makes no fault that it does not keep", () => {
    const list = new FaultList(2);
    let made = 0;
    for (let row = 1; row <= 1_000; row++) {
      list.addLazily(row, "a", () => {
        made++;
        return { row, column: "a", value: null, code: "not_finite", message: "" };
      });
    }
    expect([made, list.count]).toEqual([2, 1_000]);
  });

  it("takes over what another list has, with what that one counted and did not keep", () => {
    const other = new FaultList(1);
    for (const row of [3, 2, 1])
      other.add({ row, column: null, value: null, code: "ragged_row", message: "" });
    const list = new FaultList(5);
    list.addAll(other);
    expect([list.faults.map(({ row }) => row), list.count]).toEqual([[1], 3]);
  });
});
