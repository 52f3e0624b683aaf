import { expect, test } from "vitest";
import { formatNumber } from "#components/ui/format.ts";
import { differenceText } from "./difference-text.ts";

const total = (differsAtLevel: number | null, half = 900) => ({
  totalDifference: -3_868,
  differsAtLevel,
  totalDifferenceInterval: { level: 0.9, lower: -3_868 - half, upper: -3_868 + half },
});

test.each([
  [0.95, "± 900 (90 %): very likely lower"],
  [0.9, "± 900 (90 %): likely lower"],
  [0.8, "± 900 (90 %): likely lower"],
  [0.5, "± 900 (90 %): within noise"],
  [null, "± 900 (90 %): within noise"],
])("a difference whose interval at the level %d excludes 0 is described in words", (level, text) => {
  expect(differenceText(total(level), formatNumber)).toBe(text);
});

test("a difference without an interval has no description", () => {
  expect(
    differenceText({ totalDifference: 1, totalDifferenceInterval: null, differsAtLevel: null }, formatNumber),
  ).toBeNull();
});
