import { describe, expect, it } from "vitest";
import { colorDifference, leastDifference } from "./color-difference.ts";

describe("colorDifference", () => {
  it("is 1 between black and white, 0 between equal colours, and symmetric", () => {
    expect(colorDifference("#000", "#ffffff", "full")).toBeCloseTo(1, 3);
    expect(colorDifference("#3498db", "#3498DB", "deuteranopia")).toBe(0);
    expect(colorDifference("#d97706", "#3498db", "full")).toBe(colorDifference("#3498db", "#d97706", "full"));
  });

  it("matches Ottosson's reference values of OKLab", () => {
    // Red is (0.6280, 0.2249, 0.1258), green (0.8664, -0.2339, 0.1795).
    expect(colorDifference("#ff0000", "#00ff00", "full")).toBeCloseTo(
      Math.hypot(0.628 - 0.8664, 0.2249 + 0.2339, 0.1258 - 0.1795),
      3,
    );
  });
});

describe("leastDifference", () => {
  it("is the difference for the reader who sees the smallest one", () => {
    const [green, red] = ["#0f9d76", "#c25593"];
    expect(colorDifference(green, red, "full")).toBeGreaterThan(0.25);
    expect(leastDifference(green, red)).toBe(colorDifference(green, red, "deuteranopia"));
    expect(leastDifference(green, red)).toBeLessThan(0.05);
  });
});
