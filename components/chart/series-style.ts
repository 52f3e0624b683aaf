/** Series differ by dash and by marker as well as by colour: thirty kinds before any comes again. */
const dashes = ["", "7 4", "2 4", "10 4 2 4", "14 5", "4 2"];

export function dashOf(index: number): string {
  return dashes[index % dashes.length]!;
}

/** Outlines of the markers, in half their size around nothing; the first is a circle and drawn as one. */
const outlines: readonly (readonly (readonly [number, number])[])[] = [
  [],
  [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  [
    [0, -1.2],
    [1.15, 0.85],
    [-1.15, 0.85],
  ],
  [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
  [
    [0, 1.2],
    [1.15, -0.85],
    [-1.15, -0.85],
  ],
];

/** The baseline's neighbours in the list get other markers, and those of the same dash too. */
export function markerOf(index: number): number {
  return index % outlines.length;
}

/** A marker as an SVG path, and as canvas' Path2D takes it. */
export function markerPath(marker: number, x: number, y: number, size: number): string {
  const corners = outlines[marker];
  if (corners === undefined || corners.length === 0) {
    return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0Z`;
  }
  return `M${corners.map(([dx, dy]) => `${x + dx * size} ${y + dy * size}`).join("L")}Z`;
}
