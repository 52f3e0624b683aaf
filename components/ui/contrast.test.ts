import { describe, expect, it } from "vitest";
import { contrast, faintIn } from "./contrast.ts";

describe("contrast", () => {
  it.each([
    ["#000000", "#ffffff", 21],
    ["#fff", "#ffffff", 1],
    ["#777777", "#ffffff", 4.48],
    ["#ff0000", "#ffffff", 4],
  ])("of %s and %s is %d by the WCAG formula", (a, b, expected) => {
    expect(contrast(a, b)).toBeCloseTo(expected, 2);
    expect(contrast(b, a)).toBeCloseTo(expected, 2);
  });

  it("returns the themes in which a colour has too little contrast", () => {
    expect(faintIn("#ffff00")).toEqual(["light"]);
    expect(faintIn("#00007f")).toEqual(["dark"]);
    expect(faintIn("#3498db")).toEqual([]);
  });
});
