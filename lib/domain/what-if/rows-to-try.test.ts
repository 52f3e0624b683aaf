import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsToTry } from "./rows-to-try.ts";

const spanFrom = (first: number, length: number) => Int32Array.from({ length }, (_, at) => first + at);

test("evaluates every row within the limit, and evenly spread rows of longer spans", () => {
  fc.assert(
    fc.property(
      fc.nat(1_000),
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 5_000 }),
      (a, n, t) => {
        const span = spanFrom(a, n);
        const { rows, evaluatedRows, sample } = rowsToTry(span, t, false);
        const chosen = rows as Int32Array;
        expect(chosen.length).toBe(evaluatedRows);
        expect(chosen.length * t).toBeLessThanOrEqual(500_000);
        expect(sample).toBe(evaluatedRows === n ? "all" : "spread");
        expect(new Set(chosen).size).toBe(chosen.length);
        expect(chosen.every((row) => row >= a && row < a + n)).toBe(true);
        const gaps = Array.from(chosen.subarray(1), (row, at) => row - chosen[at]!);
        if (gaps.length > 0) expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test("reads all rows up to the span if rows build on each other, and the first rows of long spans", () => {
  expect(rowsToTry(spanFrom(10, 5), 20, true)).toEqual({ rows: 15, evaluatedRows: 5, sample: "all" });
  expect(rowsToTry(spanFrom(10, 20_000), 20, true)).toEqual({
    rows: 10_000,
    evaluatedRows: 9_990,
    sample: "first",
  });
  expect(() => rowsToTry(spanFrom(10_000, 5), 20, true)).toThrow("at most 10,000 rows");
});
