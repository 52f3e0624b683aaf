import { linearRgb } from "./color-difference.ts";

/** Chart backgrounds: `--surface` of the light and of the dark theme. */
export const surfaces = { light: "#ffffff", dark: "#15181f" } as const;

/** Minimum contrast of graphics (WCAG 2.2, 1.4.11). */
export const graphicContrast = 3;

/** Returns the relative luminance (WCAG 2.2), 0 to 1. */
function luminance(hex: string): number {
  const [red, green, blue] = linearRgb(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio, 1 to 21, of two colours such as `#rgb` or `#rrggbb`. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** Returns the themes in which a colour has too little contrast on a chart. */
export function faintIn(hex: string): (keyof typeof surfaces)[] {
  return (["light", "dark"] as const).filter((theme) => contrast(hex, surfaces[theme]) < graphicContrast);
}
