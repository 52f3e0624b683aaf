import { expect, it } from "vitest";
import { biasText, overrideText, stepsName } from "./track-record-text.ts";

const biases = (...values: (number | null)[]) => values.map((bias) => ({ bias }));
const errors = (effective: number, calculated: number) => {
  const of = (mae: number) => ({ rmse: mae, mae });
  const span = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };
  return { ...span, rows: 1, effective: of(effective), calculated: of(calculated), baseline: of(9) };
};

it.each([
  [biases(5, 5, -1, -2, -3, 4, -1, -1), "Too low in 5 of the last 6 months."],
  [biases(2, 1, -1), "Too high in 2 of the last 3 months."],
  [biases(2, -1), "Too high in 1 and too low in 1 of the last 2 months."],
  [biases(-2), "Too low in the only month."],
  [biases(0, null), "Neither too high nor too low in the last 2 months."],
])("says on which side the latest forecasts erred: %j", (periods, text) => {
  expect(biasText(periods, "month")).toBe(text);
});

it.each([
  [[errors(3, 2), errors(1, 2), errors(4, 2)], "worse in 2 of 3 weeks, and better in 1"],
  [[errors(3, 2), errors(2, 2)], "worse in 1 of 2 weeks"],
  [[errors(1, 2), errors(1, 2)], "better in 2 of 2 weeks"],
  [[errors(2, 2)], "neither better nor worse in 1 week"],
])("says in how many periods overrides helped", (periods, text) => {
  expect(overrideText({ periods }, "week")).toBe(`Overrides made the forecast ${text}.`);
});

it("names steps ahead", () => {
  expect(stepsName({ fromStep: 1, toStep: 1 })).toBe("1 step");
  expect(stepsName({ fromStep: 3, toStep: 4 })).toBe("3–4 steps");
  expect(stepsName({ fromStep: 1_025, toStep: 2_048 })).toBe("1,025–2,048 steps");
});
