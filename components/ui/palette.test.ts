import { describe, expect, it } from "vitest";
import { colorDifference, leastDifference } from "./color-difference.ts";
import { contrast, graphicContrast, surfaces } from "./contrast.ts";
import { colorName, nextColor, palette } from "./palette.ts";

describe("palette", () => {
  it.each(palette)("%s has 3:1 against the light surface, and 3.5:1 against the dark one", (color) => {
    expect(contrast(color, surfaces.light)).toBeGreaterThanOrEqual(graphicContrast);
    expect(contrast(color, surfaces.dark)).toBeGreaterThanOrEqual(graphicContrast + 0.5);
  });

  it("has colours that differ clearly, also with protanopia and deuteranopia", () => {
    for (const [at, color] of palette.entries()) {
      for (const other of palette.slice(at + 1)) {
        expect(colorDifference(color, other, "full"), `${color} and ${other}`).toBeGreaterThan(0.14);
        expect(leastDifference(color, other), `${color} and ${other}`).toBeGreaterThan(0.09);
      }
    }
  });

  it("names its colours, and returns other colours unchanged", () => {
    expect(new Set(palette.map(colorName)).size).toBe(palette.length);
    expect(colorName("#c2185b")).toBe("#c2185b");
  });

  it("proposes each colour once, then one of the least used", () => {
    const taken: string[] = [];
    for (const _ of palette) taken.push(nextColor(taken));
    expect(taken[0]).toBe(palette[0]);
    expect(taken.toSorted()).toEqual(palette.toSorted());
    expect(taken).toContain(nextColor(taken));
    expect(nextColor([...palette, palette[0]!.toUpperCase()])).not.toBe(palette[0]);
  });

  it("proposes a colour that differs from those in use, also from others than its own", () => {
    const taken = ["#2e9e6b", "#e67e22", "#3498DB"];
    for (let more = 0; more < 4; more++) {
      const next = nextColor(taken);
      for (const color of taken) expect(leastDifference(next, color)).toBeGreaterThan(0.08);
      taken.push(next);
    }
  });
});
