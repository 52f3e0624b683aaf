import { describe, expect, it } from "vitest";
import { contrast, graphicContrast, surfaces } from "./contrast.ts";
import { colorName, nextColor, palette } from "./palette.ts";

describe("palette", () => {
  it.each(palette)("%s has 3:1 against the surfaces of both themes", (color) => {
    for (const surface of Object.values(surfaces)) {
      expect(contrast(color, surface)).toBeGreaterThanOrEqual(graphicContrast);
    }
  });

  it("names its colours, and returns other colours unchanged", () => {
    expect(new Set(palette.map(colorName)).size).toBe(palette.length);
    expect(colorName("#c2185b")).toBe("#c2185b");
  });

  it("proposes an unused colour, or the least used one", () => {
    expect(nextColor([])).toBe(palette[0]);
    expect(nextColor([palette[0]!.toUpperCase(), palette[2]!])).toBe(palette[1]);
    expect(nextColor([...palette, palette[0]!])).toBe(palette[1]);
  });
});
