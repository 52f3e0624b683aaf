/** Series differ by dash and marker as well as colour: thirty combinations before any repeats. */
const dashes = ["", "7 4", "2 4", "10 4 2 4", "14 5", "4 2"];

export function dashOf(index: number): string {
  return dashes[index % dashes.length]!;
}

/** Marker outlines in half their size around the origin. The first marker is a circle and drawn separately. */
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

/** Gives different markers to neighbours in the list and to series with the same dash. */
export function markerOf(index: number): number {
  return index % outlines.length;
}

/** Returns a marker as a path string for SVG and for the canvas' `Path2D`. */
export function markerPath(marker: number, x: number, y: number, size: number): string {
  const corners = outlines[marker];
  if (corners === undefined || corners.length === 0) {
    return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0Z`;
  }
  return `M${corners.map(([dx, dy]) => `${x + dx * size} ${y + dy * size}`).join("L")}Z`;
}
