/**
 * Colour-blind-safe palette after Okabe and Ito (2008). Each colour has at least 3:1 contrast with the surfaces of both
 * themes.
 */
const named = {
  "#3498db": "blue",
  "#d97706": "orange",
  "#0f9d76": "green",
  "#c25593": "pink",
  "#7c6bd6": "violet",
  "#b0851f": "ochre",
  "#d0574a": "red",
  "#5f8a8b": "slate",
} as const;

export const palette: readonly string[] = Object.keys(named);

/** Returns the name of a palette colour; other colours unchanged. */
export function colorName(color: string): string {
  return color in named ? named[color as keyof typeof named] : color;
}

/** Returns the first unused palette colour, or the least used one. */
export function nextColor(taken: readonly string[]): string {
  const uses = (color: string) => taken.filter((other) => other.toLowerCase() === color).length;
  return palette.reduce((best, color) => (uses(color) < uses(best) ? color : best));
}
