import { describe, expect, it } from "vitest";
import { nextColor, palette } from "./palette.tsx";

/** Relative luminance and contrast of WCAG 2.2. */
function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((c) =>
    c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const contrast = (a: string, b: string) => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

describe("palette", () => {
  it.each(palette)("%s has 3:1 against the surfaces of both themes", (color) => {
    expect(contrast(color, "#ffffff")).toBeGreaterThanOrEqual(3);
    expect(contrast(color, "#16181f")).toBeGreaterThanOrEqual(3);
  });

  it("proposes a colour that is not taken, and the least used one when all are", () => {
    expect(nextColor([])).toBe(palette[0]);
    expect(nextColor([palette[0]!.toUpperCase(), palette[2]!])).toBe(palette[1]);
    expect(nextColor([...palette, palette[0]!])).toBe(palette[1]);
  });
});
