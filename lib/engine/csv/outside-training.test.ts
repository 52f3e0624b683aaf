import fc from "fast-check";
import { expect, test } from "vitest";
import type { Column } from "#lib/contract/table";
import { outsideTest, outsideTraining, outsideWarning } from "./outside-training.ts";
import { LISTED_CATEGORIES_MAX } from "./profile.ts";

const numbers = (values: number[], type: "number" | "boolean" = "number"): Column => ({
  name: "x",
  type,
  values: Float64Array.from(values),
});
const texts = (values: (string | null)[]): Column => {
  const categories = [...new Set(values.filter((value) => value !== null))];
  const codes = Int32Array.from(values, (value) => (value === null ? -1 : categories.indexOf(value)));
  return { name: "x", type: "category", categories, codes };
};
const trained = { name: "x", type: "number", role: "input", min: 0, max: 10 } as const;
const trainedTexts = { name: "x", type: "category", role: "input", categories: ["a", "b"] } as const;

test("counts rows outside the training range, and reports the first one and both ranges", () => {
  const column = numbers([5, Number.NaN, -1.5, 10, 12, 0]);
  expect(outsideWarning(column, trained)).toEqual({
    code: "outside_range",
    column: "x",
    rows: 2,
    firstRow: 3,
    range: { least: -1.5, greatest: 12, trainedMin: 0, trainedMax: 10 },
    message:
      'Column "x" goes down to -1.5 and up to 12 (2 of 6 rows, first in row 3), outside the training range of 0 to 10.',
  });
});

test("counts and names categories unseen in training", () => {
  expect(outsideWarning(texts(["a", "c", null, "d", "c"]), trainedTexts)).toEqual({
    code: "unseen_category",
    column: "x",
    rows: 3,
    firstRow: 2,
    message: 'Column "x": the model was not trained on "c", "d" (3 of 5 rows, first in row 2).',
  });
});

test("counts true as outside if it was always false in training", () => {
  const never = { ...trained, type: "boolean", max: 0 } as const;
  expect(outsideWarning(numbers([0, 1], "boolean"), never)).toMatchObject({
    code: "outside_range",
    rows: 1,
    firstRow: 2,
    message: 'Column "x" is true (row 2). In the training rows it was always false.',
  });
});

test("counts dates among the inputs, and names them as dates", () => {
  const [day, noon] = [Date.UTC(2024, 0, 1), Date.UTC(2025, 2, 1, 12)];
  const dates: Column = {
    name: "x",
    type: "timestamp",
    values: Float64Array.of(day - 1000, Number.NaN, noon),
  };
  const known = { ...trained, type: "timestamp", min: day, max: day } as const;
  expect(outsideWarning(dates, known)).toEqual({
    code: "outside_range",
    column: "x",
    rows: 2,
    firstRow: 1,
    message:
      'Column "x" goes down to 2023-12-31T23:59:59 and up to 2025-03-01T12:00:00 (2 of 3 rows, first in row 1), outside the training range of 2024-01-01 to 2024-01-01.',
  });
});

test("ignores the time of the row, missing values and features without a known range", () => {
  const time: Column = { name: "x", type: "timestamp", values: Float64Array.of(99) };
  const many = Array.from({ length: LISTED_CATEGORIES_MAX }, (_, i) => `c${i}`);
  for (const [column, feature] of [
    [time, { ...trained, type: "timestamp", role: "timestamp" }],
    [numbers([Number.NaN]), trained],
    [numbers([99]), { ...trained, min: null, max: null }],
    [texts([null]), trainedTexts],
    [texts(["z"]), { ...trainedTexts, categories: null }],
    // Only the most frequent categories are known, so "z" may have occurred.
    [texts(["z"]), { ...trainedTexts, categories: many }],
  ] as const) {
    expect(outsideWarning(column, feature)).toBeNull();
  }
});

test("the count equals the number of rows that the row test finds, for any values", () => {
  const value = fc.oneof(fc.double({ noDefaultInfinity: true }), fc.constantFrom(0, 10, Number.NaN));
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const column = numbers(values);
      const isOutside = outsideTest(column, trained)!;
      const rows = values.flatMap((_, row) => (isOutside(row) ? [row + 1] : []));
      expect(rows).toEqual(values.flatMap((v, row) => (v < 0 || v > 10 ? [row + 1] : [])));
      const outside = outsideTraining(column, trained);
      expect([outside?.rows ?? 0, outside?.firstRow]).toEqual([rows.length, rows[0]]);
    }),
  );
});
