import { describe, expect, it } from "vitest";
import { counted } from "./counted.ts";

describe("counted", () => {
  it("says one of a thing in the singular, and any other number of it in the plural", () => {
    expect([0, 1, 2, 12_345].map((count) => counted(count, "row"))).toEqual([
      "0 rows",
      "1 row",
      "2 rows",
      "12,345 rows",
    ]);
  });

  it("takes the words for one and for many where an s is not all the difference", () => {
    expect([1, 2].map((count) => counted(count, "row has", "rows have"))).toEqual([
      "1 row has",
      "2 rows have",
    ]);
  });
});
