import { describe, expect, it } from "vitest";
import { counted } from "./counted.ts";

describe("counted", () => {
  it("uses the singular for 1 and the plural for other numbers", () => {
    expect([0, 1, 2, 12_345].map((count) => counted(count, "row"))).toEqual([
      "0 rows",
      "1 row",
      "2 rows",
      "12,345 rows",
    ]);
  });

  it("takes both forms for an irregular plural", () => {
    expect([1, 2].map((count) => counted(count, "row has", "rows have"))).toEqual([
      "1 row has",
      "2 rows have",
    ]);
  });
});
