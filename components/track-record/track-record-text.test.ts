import { expect, it } from "vitest";
import { biasText, overrideText, sinceText, stepsName } from "./track-record-text.ts";

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

const months = (...maes: (readonly [own: number, naive: number | null])[]) => ({
  period: "month" as const,
  timezone: "UTC",
  periods: maes.map(([mae, naive], at) => ({
    from: new Date(Date.UTC(2026, at)).toISOString(),
    to: new Date(Date.UTC(2026, at + 1)).toISOString(),
    rows: 1,
    rmse: mae,
    mae,
    bias: 0,
    coverage: null,
    baseline: { rmse: naive, mae: naive },
  })),
});

it.each([
  [
    months([3, 2], [1, 2], [3, 2], [1, 2], [1, 2]),
    "Better than the naive forecast since Apr 2026. In all, better in 3 of 5 months.",
  ],
  [
    months([1, 2], [3, 2], [2, 2]),
    "No better than the naive forecast since Feb 2026. In all, better in 1 of 3 months.",
  ],
  [months([1, 2], [1, 2]), "Better than the naive forecast in all 2 months."],
  [months([2, 1]), "No better than the naive forecast in the only month."],
  [months([2, null], [1, null]), ""],
])("says since when the forecast was better than the naive one", (record, text) => {
  expect(sinceText(record)).toBe(text);
});

it("names weeks and classes by their own figures", () => {
  const { periods } = months([1, 2], [1, 2]);
  const classes = periods.map((one, at) => ({
    ...one,
    mae: null,
    logLoss: at + 1,
    baseline: { rmse: null, mae: null, logLoss: 1.5 },
  }));
  const record = { periods: classes, period: "week" as const, timezone: "UTC" };
  expect(sinceText(record)).toBe(
    "No better than the naive forecast since the week of 1 Feb 2026. In all, better in 1 of 2 weeks.",
  );
});

it("names steps ahead", () => {
  expect(stepsName({ fromStep: 1, toStep: 1 })).toBe("1 step");
  expect(stepsName({ fromStep: 3, toStep: 4 })).toBe("3–4 steps");
  expect(stepsName({ fromStep: 1_025, toStep: 2_048 })).toBe("1,025–2,048 steps");
});
