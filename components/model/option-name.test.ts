import { expect, test } from "vitest";
import { optionName } from "./option-name.ts";

const option = { output: "probabilities", elementType: "float32", shape: ["N", 2] };

test("names an option by its class, or else by its column", () => {
  expect(optionName({ ...option, outputColumn: 1, label: "yes" })).toBe(
    "Probability of class yes (probabilities, column 1): float32 [N, 2]",
  );
  expect(optionName({ ...option, outputColumn: 0, label: null })).toBe(
    "probabilities, column 0: float32 [N, 2]",
  );
  expect(optionName({ ...option, output: "mean", outputColumn: null, label: null, shape: ["N"] })).toBe(
    "mean: float32 [N]",
  );
});
