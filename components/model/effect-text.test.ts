import { expect, test } from "vitest";
import type { InputEffect } from "#lib/contract/input-effects";
import { changeText, effectText, intervalText } from "./effect-text.ts";

const effect: InputEffect = {
  feature: "price",
  change: { operation: "multiply", value: 1.1 },
  unit: "percent",
  effect: -24.5,
  lower: -28,
  upper: -21,
  correlation: -0.6,
  expected: null,
  warning: null,
};

test("effects in per cent and in units name their change", () => {
  expect(changeText(effect)).toBe("+10 %");
  expect(effectText(effect)).toBe("−24.5 %");
  expect(intervalText(effect)).toBe("−28 % to −21 %");
  const inUnits = { ...effect, change: { operation: "add", value: 1 }, unit: "target" } as const;
  expect(changeText(inUnits)).toBe("+1");
  expect(effectText(inUnits)).toBe("−24.5");
  expect(changeText({ ...effect, change: { operation: "set", value: 1 } })).toBe("1 instead of 0");
  expect(intervalText({ ...effect, lower: null, upper: null })).toBe("–");
});
