type Triple = readonly [number, number, number];

/** Vision of a reader: all cones, or without one kind of them. */
type Vision = "full" | "protanopia" | "deuteranopia";

/** Linear sRGB as seen by dichromats (Machado, Oliveira and Fernandes, 2009, severity 1). */
const seen: Record<Vision, readonly [Triple, Triple, Triple]> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

const visions = Object.keys(seen) as Vision[];

/** Returns the linear sRGB values, 0 to 1, of `#rgb` or `#rrggbb`. */
export function linearRgb(hex: string): Triple {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, "$&$&") : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

const times = (matrix: readonly [Triple, Triple, Triple], [x, y, z]: Triple): Triple => {
  const [a, b, c] = matrix.map((row) => row[0] * x + row[1] * y + row[2] * z);
  return [a!, b!, c!];
};

/** Converts linear sRGB to OKLab (Ottosson, 2020). */
function oklab([red, green, blue]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Returns the distance of two colours in OKLab. Black and white are 1 apart; 0.02 is just noticeable. */
export function colorDifference(a: string, b: string, vision: Vision): number {
  const [first, second] = [a, b].map((hex) => oklab(times(seen[vision], linearRgb(hex))));
  return Math.hypot(...first!.map((value, at) => value - second![at]!));
}

/** Returns the difference of two colours for the reader who sees the smallest one. */
export function leastDifference(a: string, b: string): number {
  return Math.min(...visions.map((vision) => colorDifference(a, b, vision)));
}
