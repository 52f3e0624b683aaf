import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "#lib/contract/limits";
import type { Adjustment } from "#lib/contract/scenarios";
import { changeText, distinctTitle } from "./change-text.ts";

const step = (change: Partial<Adjustment>): Adjustment => ({
  feature: "price",
  operation: "multiply",
  value: 1.1,
  ...change,
});
const nameOf = (feature: string) => feature;

test.each<[Partial<Adjustment>[], string]>([
  [[{}], "price +10 %"],
  [[{ value: 0.93 }], "price −7 %"],
  [[{ operation: "add", value: -2.5 }], "price −2.5"],
  [[{ operation: "set", value: 3 }], "price 3"],
  [[{ feature: "weather", operation: "set", value: "rain" }], "weather rain"],
  [[{ from: "2027-01-01" }], "price +10 % in part"],
  [[{}, { feature: "wind", operation: "add", value: 2 }], "price +10 %, wind +2"],
  [[{}, {}, {}, {}], "price +10 %, price +10 % and 2 more changes"],
])("names the change in a title", (steps, text) => {
  expect(changeText(steps.map(step), nameOf)).toBe(text);
});

test("gives copies of one scenario different titles, of at most the maximum length", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: limits.scenarioTitleMax }), (base) => {
      const taken: string[] = [];
      for (let copy = 0; copy < 12; copy++) taken.push(distinctTitle(base, "price +10 %", taken));
      expect(new Set(taken).size).toBe(taken.length);
      expect(Math.max(...taken.map(({ length }) => length))).toBeLessThanOrEqual(limits.scenarioTitleMax);
    }),
  );
  expect(distinctTitle("Base 2027", "price +10 %", ["Base 2027, price +10 %"])).toBe(
    "Base 2027, price +10 % (2)",
  );
});
