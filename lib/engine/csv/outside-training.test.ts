import fc from "fast-check";
import { expect, test } from "vitest";
import type { Column } from "#lib/contract/table";
import { describedCategoriesMax, outsideTest, outsideTraining, outsideWarning } from "./outside-training.ts";

const numbers = (values: number[], type: "number" | "boolean" = "number"): Column => ({
  ...{ name: "x", type },
  values: Float64Array.from(values),
});
const texts = (values: (string | null)[]): Column => {
  const categories = [...new Set(values.filter((value) => value !== null))];
  const codes = Int32Array.from(values, (value) => (value === null ? -1 : categories.indexOf(value)));
  return { name: "x", type: "category", categories, codes };
};
const trained = { name: "x", type: "number", role: "input", min: 0, max: 10 } as const;
const trainedTexts = { name: "x", type: "category", role: "input", categories: ["a", "b"] } as const;

test("rows outside the training range are counted, the first is named, and both ranges are told", () => {
  const column = numbers([5, Number.NaN, -1.5, 10, 12, 0]);
  expect(outsideWarning(column, trained)).toEqual({
    ...{ code: "outside_range", column: "x", rows: 2, firstRow: 3 },
    range: { least: -1.5, greatest: 12, trainedMin: 0, trainedMax: 10 },
    message:
      'Column "x" goes down to -1.5 and up to 12 (2 of 6 rows, the first is row 3), outside 0 to 10, the range that the model was trained on.',
  });
});

test("categories that the training rows did not have are counted and named", () => {
  expect(outsideWarning(texts(["a", "c", null, "d", "c"]), trainedTexts)).toEqual({
    ...{ code: "unseen_category", column: "x", rows: 3, firstRow: 2 },
    message: 'Column "x": the model was not trained on "c", "d" (3 of 5 rows, the first is row 2).',
  });
});

test("what was always false in training and is true now is outside too", () => {
  const never = { ...trained, type: "boolean", max: 0 } as const;
  expect(outsideWarning(numbers([0, 1], "boolean"), never)).toMatchObject({
    ...{ code: "outside_range", rows: 1, firstRow: 2 },
    message: 'Column "x" is true (row 2), and was always false in the rows that the model was trained on.',
  });
});

test("nothing is said of times, of missing values, and of what nothing is known of", () => {
  const time: Column = { name: "x", type: "timestamp", values: Float64Array.of(99) };
  const many = Array.from({ length: describedCategoriesMax }, (_, i) => `c${i}`);
  for (const [column, feature] of [
    [time, { ...trained, type: "timestamp", role: "timestamp" }],
    [time, { ...trained, type: "timestamp" }],
    [numbers([Number.NaN]), trained],
    [numbers([99]), { ...trained, min: null, max: null }],
    [texts([null]), trainedTexts],
    [texts(["z"]), { ...trainedTexts, categories: null }],
    // Only the commonest are known: "z" may have been there.
    [texts(["z"]), { ...trainedTexts, categories: many }],
  ] as const) {
    expect(outsideWarning(column, feature)).toBeNull();
  }
});

test("the count is that of the rows that the test for rows finds, whatever the values", () => {
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
