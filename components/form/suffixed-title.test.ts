import { expect, test } from "vitest";
import { limits } from "#lib/contract/limits";
import { suffixedTitle } from "./suffixed-title.ts";

test("shortens a title to the limit, but not in the middle of a character", () => {
  const { scenarioTitleMax } = limits;
  expect(suffixedTitle("Warm", "edited")).toBe("Warm, edited");
  expect(suffixedTitle("t".repeat(scenarioTitleMax), "edited")).toHaveLength(scenarioTitleMax);
  for (const start of ["", "t"]) {
    const title = suffixedTitle(start + "🌡".repeat(scenarioTitleMax / 2), "edited");
    expect(title.isWellFormed()).toBe(true);
    expect(title).toMatch(/🌡, edited$/u);
  }
});
