import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Table } from "#lib/contract/table";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { applyAdjustments, TableAdjuster } from "./adjust.ts";
import type { InputAdjustment } from "./adjustments.ts";

const HOUR = 3_600_000;
const table: Table = {
  rowCount: 4,
  columns: [
    { name: "at", type: "timestamp", values: Float64Array.of(0, HOUR, 2 * HOUR, 3 * HOUR) },
    { name: "temp", type: "number", values: Float64Array.of(10, 20, Number.NaN, 40) },
    { name: "open", type: "boolean", values: Float64Array.of(0, 1, 1, 0) },
    { name: "sky", type: "category", categories: ["clear", "rain"], codes: Int32Array.of(0, 1, -1, 0) },
  ],
};

function apply(...adjustments: InputAdjustment[]) {
  const adjusted = applyAdjustments(table, adjustments, "at");
  if (!adjusted.ok) throw new Error(adjusted.issues[0]!.message);
  return adjusted;
}

describe("applyAdjustments", () => {
  test("adds, multiplies and sets in order, and counts the rows that changed", () => {
    const { table: result, changedRows } = apply(
      { feature: "temp", operation: "add", value: 2 },
      { feature: "temp", operation: "multiply", value: 10 },
      { feature: "open", operation: "set", value: true },
    );
    expect(numericValues(result, "temp")).toEqual(Float64Array.of(120, 220, Number.NaN, 420));
    expect(numericValues(result, "open")).toEqual(Float64Array.of(1, 1, 1, 1));
    expect(changedRows).toEqual([3, 3, 2]);
  });

  test("changes only rows in the time span, ends included, that meet every condition", () => {
    const { table: result, changedRows } = apply({
      feature: "temp",
      operation: "set",
      value: 0,
      from: HOUR,
      to: 3 * HOUR,
      where: [{ feature: "temp", operator: ">=", value: 20 }],
    });
    expect(numericValues(result, "temp")).toEqual(Float64Array.of(10, 0, Number.NaN, 0));
    expect(changedRows).toEqual([2]);
  });

  test("reads the results of earlier adjustments, and no condition matches a missing value", () => {
    const { changedRows } = apply(
      {
        feature: "sky",
        operation: "set",
        value: "snow",
        where: [{ feature: "sky", operator: "=", value: "rain" }],
      },
      {
        feature: "temp",
        operation: "add",
        value: 1,
        where: [{ feature: "sky", operator: "=", value: "snow" }],
      },
      {
        feature: "open",
        operation: "set",
        value: false,
        where: [{ feature: "sky", operator: "!=", value: "clear" }],
      },
      {
        feature: "open",
        operation: "set",
        value: false,
        where: [{ feature: "temp", operator: "<", value: 1e9 }],
      },
    );
    expect(changedRows).toEqual([1, 1, 1, 0]);
  });

  test("adds a new category without modifying the given table", () => {
    const { table: result } = apply({ feature: "sky", operation: "set", value: "fog" });
    expect(findColumn(result, "sky")).toMatchObject({
      categories: ["clear", "rain", "fog"],
      codes: Int32Array.of(2, 2, 2, 2),
    });
    expect(findColumn(table, "sky")).toMatchObject({ categories: ["clear", "rain"] });
  });

  test("reads a category like a CSV cell: trims white space, and treats an empty text as missing", () => {
    const { table: result, changedRows } = apply({
      feature: "sky",
      operation: "set",
      value: " rain\t",
      where: [{ feature: "sky", operator: "=", value: "clear " }],
    });
    expect(findColumn(result, "sky")).toMatchObject({ categories: ["clear", "rain"] });
    expect(changedRows).toEqual([2]);
    const nothing = applyAdjustments(table, [{ feature: "sky", operation: "set", value: " " }], "at");
    expect(nothing).toMatchObject({ ok: false, issues: [{ adjustment: 0, code: "wrong_type" }] });
  });

  test("compares times as written, in UTC in every time zone, and rejects invalid times", () => {
    const later = (value: string): InputAdjustment => ({
      feature: "temp",
      operation: "set",
      value: 0,
      where: [{ feature: "at", operator: ">=", value }],
    });
    const zone = process.env.TZ;
    process.env.TZ = "America/New_York";
    onTestFinished(() => {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    });
    for (const time of ["1970-01-01T01:00", "1970-01-01 01:00:00", "1970-01-01T02:00:00+01:00"])
      expect([time, apply(later(time)).changedRows]).toEqual([time, [3]]);
    const never = applyAdjustments(table, [later("noon 1")], "at");
    expect(never).toMatchObject({ ok: false, issues: [{ code: "wrong_type" }] });
  });

  test("adding and subtracting restores integers, and rows outside the span never change", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.nat({ max: 3 }), (value, hour) => {
        const from = hour * HOUR;
        const { table: result, changedRows } = apply(
          { feature: "temp", operation: "add", value, from },
          { feature: "temp", operation: "add", value: -value, from },
        );
        expect(numericValues(result, "temp")).toEqual(numericValues(table, "temp"));
        expect(changedRows[0]).toBe(value === 0 ? 0 : [3, 2, 1, 1][hour]);
      }),
    );
  });

  test("reports every issue with its position in the list, and changes nothing", () => {
    const adjusted = applyAdjustments(
      table,
      [
        { feature: "tmp", operation: "add", value: 1 },
        { feature: "sky", operation: "add", value: 1 },
        { feature: "temp", operation: "add", value: "abc" },
        { feature: "temp", operation: "set", value: "warm" },
        { feature: "at", operation: "set", value: 0 },
        {
          feature: "temp",
          operation: "add",
          value: 1,
          where: [{ feature: "sky", operator: "<", value: "rain" }],
        },
      ],
      "at",
    );
    expect(adjusted).toMatchObject({
      ok: false,
      issues: [
        { adjustment: 0, code: "unknown_feature", message: expect.stringContaining('"temp"') },
        { adjustment: 1, code: "wrong_type", message: expect.stringContaining("a numeric feature") },
        { adjustment: 2, code: "wrong_type", message: expect.stringContaining("not a valid number") },
        { adjustment: 3, code: "wrong_type" },
        { adjustment: 4, code: "wrong_type" },
        { adjustment: 5, code: "wrong_type" },
      ],
    });
    const timeless = applyAdjustments(
      table,
      [{ feature: "temp", operation: "add", value: 1, from: 0 }],
      null,
    );
    expect(timeless).toMatchObject({ ok: false, issues: [{ code: "no_timestamp" }] });
  });

  test.each([
    ["temp", "1", '"temp" holds number values; "1" is not a valid number.'],
    ["temp", true, '"temp" holds number values; true is not a valid number.'],
    ["sky", 1, '"multiply" needs a numeric feature, but "sky" holds category values.'],
  ])("names what is wrong if %s is multiplied by %j", (feature, value, message) => {
    const result = applyAdjustments(table, [{ feature, operation: "multiply", value }], "at");
    expect(result).toMatchObject({ ok: false, issues: [{ code: "wrong_type", message }] });
  });
});

test("reports a span that ends before it starts, and an overflow, as issues of their adjustment", () => {
  const issuesOf = (...adjustments: InputAdjustment[]) => {
    const adjusted = applyAdjustments(table, adjustments, "at");
    return adjusted.ok ? [] : adjusted.issues.map(({ adjustment, code }) => [adjustment, code]);
  };
  const step = { feature: "temp", operation: "multiply", value: 1e300 } as const;
  expect(issuesOf({ ...step, from: HOUR, to: 0 })).toEqual([[0, "after_to"]]);
  expect(issuesOf(step, { ...step, from: 3 * HOUR })).toEqual([[1, "not_finite"]]);
  // Missing values stay missing and do not count as overflow.
  expect(issuesOf(step, { ...step, from: 2 * HOUR, to: 2 * HOUR })).toEqual([]);
});

const value = fc.constantFrom(-1, 0, 2, 1e200, 15, 20);
const span = { from: fc.option(fc.constantFrom(0, HOUR), { nil: undefined }), to: fc.constant(2 * HOUR) };
const anyAdjustment = fc.oneof(
  fc.record({
    feature: fc.constant("temp"),
    operation: fc.constantFrom("add" as const, "multiply" as const, "set" as const),
    value,
    ...span,
  }),
  fc.record({
    feature: fc.constant("sky"),
    operation: fc.constant("set" as const),
    value: fc.constantFrom("clear", "rain", "snow"),
    where: fc.tuple(
      fc.record({
        feature: fc.constant("temp"),
        operator: fc.constantFrom("<" as const, ">=" as const, "!=" as const),
        value,
      }),
      fc.record({
        feature: fc.constant("sky"),
        operator: fc.constantFrom("=" as const, "!=" as const),
        value: fc.constantFrom("clear", "snow"),
      }),
    ),
  }),
);

test("adjusts a table in parts like the whole table, with the same counts and issues", () => {
  const textsOf = (part: Table) => {
    const sky = findColumn(part, "sky");
    return sky?.type === "category" ? Array.from(sky.codes, (code) => sky.categories[code] ?? null) : [];
  };
  fc.assert(
    fc.property(fc.array(anyAdjustment, { maxLength: 4 }), fc.nat({ max: 4 }), (adjustments, cut) => {
      const whole = applyAdjustments(table, adjustments, "at");
      const adjusting = new TableAdjuster(table.columns, adjustments, "at");
      const parts = [sliceRows(table, 0, cut), sliceRows(table, cut)].map((part) => adjusting.apply(part));
      if (!whole.ok) {
        expect(adjusting.issues).toEqual(whole.issues);
        return;
      }
      expect(adjusting.issues).toEqual([]);
      expect(adjusting.changedRows).toEqual(whole.changedRows);
      expect(parts.flatMap((part) => Array.from(numericValues(part, "temp")))).toEqual(
        Array.from(numericValues(whole.table, "temp")),
      );
      expect(parts.flatMap(textsOf)).toEqual(textsOf(whole.table));
    }),
  );
});
