import { expect, test } from "vitest";
import { algorithmChoices } from "./algorithm-choices.ts";

const ofRows = [
  ["gradient_boosting", "Gradient boosting"],
  ["ridge", "Ridge regression"],
  ["elastic_net", "Elastic net"],
  ["blend", "Blend of models that use the inputs"],
];

test("series methods are choices only for a regular timestamp", () => {
  expect(algorithmChoices(false, false)).toEqual(ofRows);
  expect(algorithmChoices(false, true)).toEqual([
    ...ofRows,
    ["seasonal_naive", "Seasonal naive"],
    ["drift", "Drift"],
    ["combination", "Combination of series methods"],
    ["ets", "Exponential smoothing (ETS)"],
    ["theta", "Theta"],
    ["arima", "ARIMA"],
    ["stl_ets", "STL and exponential smoothing"],
    ["tsb", "Intermittent demand (TSB)"],
  ]);
});

test("only algorithms that predict classes are choices for two classes", () => {
  expect(algorithmChoices(true, false)).toEqual([
    ["gradient_boosting", "Gradient boosting"],
    ["ridge", "Logistic regression"],
  ]);
});
