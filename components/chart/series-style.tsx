/** Colour-blind-safe palette after Okabe and Ito (2008), darkened or lightened to 3:1 against both themes' surfaces. */
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

/** Series differ by dash as well as by colour. */
const dashes = ["", "7 4", "2 4", "10 4 2 4", "14 5", "4 2"];

export function dashOf(index: number): string {
  return dashes[index % dashes.length]!;
}

/** The first colour of the palette that is not taken yet; the least used one when all are. */
export function nextColor(taken: readonly string[]): string {
  const uses = (color: string) => taken.filter((other) => other.toLowerCase() === color).length;
  return palette.reduce((best, color) => (uses(color) < uses(best) ? color : best));
}
