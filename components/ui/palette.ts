import { leastDifference } from "./color-difference.ts";

/**
 * Colours that differ clearly for readers with and without red-green colour blindness. Each colour has at least 3:1
 * contrast with the light surface, and 3.5:1 with the dark one, where thin lines look fainter.
 */
const named = {
  "#3498db": "blue",
  "#d97700": "orange",
  "#058058": "green",
  "#cb4996": "pink",
  "#8b54ca": "purple",
  "#d82a22": "red",
  "#3360ff": "cobalt",
  "#819b6b": "moss",
} as const;

export const palette: readonly string[] = Object.keys(named);

/** Returns the name of a palette colour; other colours unchanged. */
export function colorName(color: string): string {
  return color in named ? named[color as keyof typeof named] : color;
}

/**
 * Returns the palette colour that differs most from the taken ones, for the reader who sees the smallest difference. With
 * the whole palette taken, chooses among the least used colours.
 */
export function nextColor(taken: readonly string[]): string {
  const others = taken.map((color) => color.toLowerCase());
  const uses = (color: string) => others.filter((other) => other === color).length;
  const leastUses = Math.min(...palette.map(uses));
  const distance = (color: string) =>
    Math.min(1, ...others.filter((other) => other !== color).map((other) => leastDifference(color, other)));
  return palette
    .filter((color) => uses(color) === leastUses)
    .reduce((best, color) => (distance(color) > distance(best) ? color : best));
}
