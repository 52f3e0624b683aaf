import { expect, test } from "vitest";
import type { InputFeature } from "#lib/contract/models";
import { Adjustment } from "#lib/contract/scenarios";
import { canBeChecked, endOfDay, faultsOfStep, firstStep, readValue, withFeature } from "./recipe.ts";

const feature = (
  name: string,
  type: InputFeature["type"],
  categories: string[] | null = null,
): InputFeature => ({
  ...{ name, type, role: "input", required: true, missing: 0, sourceProjectId: null, categories },
  ...{ min: 0, max: 9, mean: 4, median: 3 },
});
const price = feature("price", "number");
const wind = feature("wind", "number");
const open = feature("open", "boolean");
const sky = feature("sky", "category", ["clear", "rain"]);

test("a value is of its feature's type, and what is none is left to be told", () => {
  expect([readValue("1.5", price), readValue("x", price), readValue("", price)]).toEqual([1.5, "x", ""]);
  expect([readValue("true", open), readValue("false", open), readValue("7", sky)]).toEqual([
    true,
    false,
    "7",
  ]);
});

test("a step starts with what its feature can be, and keeps what it does for another of the same kind", () => {
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

test("the last day is in the stretch as a whole, and each fault stands at its step", () => {
  expect(canBeChecked([{ ...firstStep(price), to: endOfDay("2026-01-31") }])).toBe(true);
  const faults = [{ field: "adjustments.1", message: "no" }, { message: "elsewhere" }];
  expect([faultsOfStep(faults, 0), faultsOfStep(faults, 1)]).toEqual([[], ["no"]]);
});
