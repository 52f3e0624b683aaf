import { expect, it } from "vitest";
import { spanText, stepsText, stepWord } from "./duration-text.ts";

it("writes step counts and ISO 8601 durations as English text", () => {
  const words = ["PT1H", "P1D", "P7D", "P1W", "P1M", "P3M", "PT15M", "PT1M", "P1Y", "P1DT2H"].map(stepWord);
  expect(words).toEqual([
    ...["hour", "day", "week", "week", "month", "3 months", "15 minutes", "minute", "year", "P1DT2H"],
  ]);
  expect(stepsText(124, "PT1H")).toBe("124 hours");
  expect(stepsText(1, "P1D")).toBe("1 day");
  expect(stepsText(3, "PT15M")).toBe("3 steps of 15 minutes");
  expect(stepsText(2, null)).toBe("2 steps");
});

it("writes the length of steps in the largest whole unit", () => {
  expect(spanText(24, "PT1H")).toBe("1 day");
  expect(spanText(36, "PT1H")).toBe("36 hours");
  expect(spanText(3, "PT15M")).toBe("45 minutes");
  expect(spanText(7, "P1D")).toBe("7 days");
  expect(spanText(2, "P1B")).toBe("2 business days");
  expect(spanText(1, null)).toBe("1 step");
});
