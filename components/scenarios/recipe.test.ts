import { expect, test } from "vitest";
import type { InputFeature } from "#lib/contract/models";
import { Adjustment } from "#lib/contract/scenarios";
import { canBeChecked, firstStep, issuesOfStep, readValue, withFeature } from "./recipe.ts";

const feature = (
  name: string,
  type: InputFeature["type"],
  categories: string[] | null = null,
): InputFeature => ({
  name,
  type,
  role: "input",
  required: true,
  missing: 0,
  sourceProjectId: null,
  categories,
  min: 0,
  max: 9,
  mean: 4,
  median: 3,
});
const price = feature("price", "number");
const wind = feature("wind", "number");
const open = feature("open", "boolean");
const sky = feature("sky", "category", ["clear", "rain"]);

test("parses a value by its feature's type, and keeps invalid text for the error message", () => {
  expect([readValue("1.5", price), readValue("x", price), readValue("", price)]).toEqual([1.5, "x", ""]);
  expect([readValue("true", open), readValue("false", open), readValue("7", sky)]).toEqual([
    true,
    false,
    "7",
  ]);
});

test("starts a step with a valid operation, and keeps the operation for a feature of the same type", () => {
  for (const one of [price, open, sky]) expect(Adjustment.safeParse(firstStep(one)).success).toBe(true);
  const step: Adjustment = { feature: "price", operation: "add", value: 2, from: "2026-01-01" };
  expect(withFeature(step, price, wind)).toEqual({ ...step, feature: "wind" });
  expect(withFeature(step, price, sky)).toEqual({
    feature: "sky",
    operation: "set",
    value: "clear",
    from: "2026-01-01",
  });
});

test("assigns each issue to its step", () => {
  expect(canBeChecked([{ ...firstStep(price), to: "2026-01-31" }])).toBe(true);
  const issues = [{ field: "adjustments.1", message: "no" }, { message: "elsewhere" }];
  expect([issuesOfStep(issues, 0), issuesOfStep(issues, 1)]).toEqual([[], ["no"]]);
});
