import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column } from "#lib/contract/table";
import { proposeParts } from "./propose-parts.ts";
import { checkAddedTimes, checkTimes } from "./time-order.ts";

const day = 86_400_000;
const times = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 25 });

describe("checkTimes", () => {
  it("returns the order of the times, and an issue for each time that another row has", () => {
    fc.assert(
      fc.property(times, (values) => {
        const { order, movedRows, issues } = checkTimes(Float64Array.from(values), "t");
        const ordered = (order ?? [...values.keys()]).map((row) => values[row]!);
        expect(ordered).toEqual(values.toSorted((a, b) => a - b));
        expect(order === null).toBe(movedRows === 0);
        expect(issues.count).toBe(values.length - new Set(values).size);
      }),
    );
  });
});

describe("checkAddedTimes", () => {
  const limit = 100 * day;

  it("accepts exactly the rows that are later than the last one and different", () => {
    fc.assert(
      fc.property(times, fc.integer({ min: -1, max: 31 }), (values, last) => {
        const { count } = checkAddedTimes(Float64Array.from(values), "t", { last, next: null, limit });
        const valid = values.every((time) => time > last) && new Set(values).size === values.length;
        expect(count === 0).toBe(valid);
      }),
    );
  });

  it("accepts rows from the next step on, repeated or not, where rows are joined into steps", () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 31 }), (values, next) => {
        const { count } = checkAddedTimes(Float64Array.from(values), "t", { last: next - 1, next, limit });
        expect(count).toBe(values.filter((time) => time < next).length);
      }),
    );
  });

  it("names row, time and limit", () => {
    const { issues } = checkAddedTimes(Float64Array.of(day, 2 * day), "t", { last: day, next: null, limit });
    expect(issues).toMatchObject([
      { row: 1, column: "t", code: "timestamps_unsorted", value: "1970-01-02T00:00:00.000Z" },
    ]);
  });

  it("rejects times from the limit on", () => {
    const added = Float64Array.of(limit - 1, limit);
    const { issues } = checkAddedTimes(added, "t", { last: day, next: null, limit });
    expect(issues).toMatchObject([
      { row: 2, code: "timestamp_too_far", expected: "a time before 1970-04-11T00:00:00.000Z" },
    ]);
  });
});

describe("proposeParts", () => {
  const numbers = (name: string, values: number[]): Column => ({
    name,
    type: "number",
    values: Float64Array.from(values),
  });
  const days: Column = { name: "day", type: "timestamp", values: Float64Array.of(0, 0, day, day) };

  it("returns the column that makes repeated days unique, an hour by name first", () => {
    const [weekday, hr] = [numbers("order", [0, 1, 0, 1]), numbers("hr", [7, 8, 7, 9])];
    expect(proposeParts([days, weekday, hr], "day")).toEqual(["hr"]);
    expect(proposeParts([days, weekday], "day")).toEqual(["order"]);
  });

  it("returns a column of times of day", () => {
    const clock: Column = {
      name: "at",
      type: "category",
      codes: Int32Array.of(0, 1, 0, 1),
      categories: ["00:00", "12:30"],
    };
    expect(proposeParts([days, clock], "day")).toEqual(["at"]);
  });

  it("returns the parts of years", () => {
    const years: Column = {
      name: "year",
      type: "timestamp",
      values: Float64Array.of(...[2020, 2020, 2021, 2021].map((year) => Date.UTC(year, 0, 1))),
    };
    const [two, months] = [numbers("quarter", [1, 2, 1, 2]), numbers("month", [1, 2, 1, 2])];
    expect(proposeParts([years, two], "year")).toEqual(["quarter"]);
    expect(proposeParts([years, numbers("x", [1, 2, 1, 2]), months], "year")).toEqual(["month"]);
    const days = [numbers("month", [1, 1, 1, 1]), numbers("day", [1, 2, 1, 2])];
    expect(proposeParts([years, ...days], "year")).toEqual(["month", "day"]);
  });

  it("returns null for values that are no hours, that repeat, or beside full times", () => {
    expect(proposeParts([days, numbers("x", [0, 24, 0, 1])], "day")).toBeNull();
    expect(proposeParts([days, numbers("x", [0, 0.5, 0, 1])], "day")).toBeNull();
    expect(proposeParts([days, numbers("hr", [7, 7, 7, 8])], "day")).toBeNull();
    const full: Column = { name: "day", type: "timestamp", values: Float64Array.of(1, 1, day, day) };
    expect(proposeParts([full, numbers("hr", [7, 8, 7, 8])], "day")).toBeNull();
  });
});
