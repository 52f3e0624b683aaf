import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "#lib/contract/limits";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment } from "#lib/contract/scenarios";
import {
  changeOf,
  changesElsewhere,
  comparedWith,
  fromShown,
  limitsOf,
  type Recipe,
  sliderOf,
  startOf,
  toShown,
  withChange,
} from "./edits.ts";

const always = limitsOf({ from: "", to: "" }, []);
const week = limitsOf({ from: "2026-02-01", to: "2026-02-07T23:59:59Z" }, []);
const holidays = limitsOf({ from: "", to: "" }, [{ feature: "holiday", operator: "=", value: true }]);
const add = (value: number) => ({ operation: "add" as const, value });

test("keeps one change for each feature and choice of rows, in the order of the first change", () => {
  let recipe: Recipe = [];
  recipe = withChange(recipe, "temp", always, add(1));
  recipe = withChange(recipe, "wind", always, add(2));
  recipe = withChange(recipe, "temp", week, add(3));
  recipe = withChange(recipe, "temp", holidays, add(4));
  recipe = withChange(recipe, "temp", always, { operation: "multiply", value: 1.2 });
  recipe = withChange(recipe, "temp", holidays, add(5));
  expect(recipe).toEqual([
    { feature: "temp", operation: "multiply", value: 1.2 },
    { feature: "wind", operation: "add", value: 2 },
    { feature: "temp", operation: "add", value: 3, from: "2026-02-01", to: "2026-02-07T23:59:59Z" },
    {
      feature: "temp",
      operation: "add",
      value: 5,
      where: [{ feature: "holiday", operator: "=", value: true }],
    },
  ] satisfies Adjustment[]);
  expect(changeOf(recipe, "temp", week)).toMatchObject(add(3));
  expect(changeOf(recipe, "wind", week)).toBeNull();
  expect([always, week].map((rows) => changesElsewhere(recipe, rows))).toEqual([2, 3]);
});

test("removes changes without effect, and keeps the list if there is nothing to remove", () => {
  const recipe = withChange([], "temp", always, add(1));
  expect(withChange(recipe, "temp", always, add(0))).toEqual([]);
  expect(withChange(recipe, "temp", always, { operation: "multiply", value: 1 })).toEqual([]);
  expect(withChange(recipe, "temp", always, null)).toEqual([]);
  expect(withChange(recipe, "wind", always, null)).toBe(recipe);
  expect(withChange([], "open", always, { operation: "set", value: false })).toHaveLength(1);
});

test("shows factors in per cent, and reads every per cent back as the same factor", () => {
  expect([toShown("multiply", 1.1), toShown("multiply", 0.93), toShown("add", -3)]).toEqual([10, -7, -3]);
  fc.assert(
    fc.property(fc.integer({ min: -99, max: 1_000 }), (percent) => {
      expect(toShown("multiply", fromShown("multiply", percent))).toBe(percent);
    }),
  );
});

test("starts without effect, or at the median of the training data", () => {
  const feature = { name: "temp", type: "number", min: 0, max: 40, median: 11 } as InputFeature;
  expect([startOf("multiply", feature), startOf("add", feature), startOf("set", feature)]).toEqual([
    1, 0, 11,
  ]);
  expect(sliderOf("multiply", feature)).toEqual({ min: -50, max: 50, step: 1 });
  expect(sliderOf("set", feature)).toMatchObject({ min: 0, max: 40 });
});

test("compares saved edits with every scenario of the chart, or with the baseline if there are too many", () => {
  expect(comparedWith(["a", "b"], "a", "saved")).toEqual(["a", "b", "saved"]);
  expect(comparedWith(["a", "saved"], "a", "saved")).toEqual(["a", "saved"]);
  const most = Array.from({ length: limits.compareMax }, (_, at) => `${at}`);
  expect(comparedWith(most.slice(1), "5", "saved")).toHaveLength(limits.compareMax);
  expect(comparedWith(most, "5", "saved")).toEqual(["5", "saved"]);
});
