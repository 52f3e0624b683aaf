/**
 * Pixels that are drawn one column after the other. A browser strokes a path of some thousand steep pieces in tenths of
 * a second; what is seen of it is, for each column of pixels, from where to where it reaches, and that is found and
 * filled in a millisecond. Colours are not premultiplied, as `putImageData` takes them.
 */
export type Raster = { width: number; height: number; pixels: Uint8ClampedArray };

export type Rgb = readonly [red: number, green: number, blue: number];

/** Of each column the uppermost and the lowest place that a line reaches; `top > bottom` where it does not. */
type Reach = { top: Float32Array; bottom: Float32Array };

/**
 * A line through places in pixels, broken where y is NaN. Each column that it touches gets the whole reach of the line in
 * it: an extreme of a single point is never lost, however many points share its column. Dashes are counted in columns.
 */
export function rasterLine(
  raster: Raster,
  xs: Float64Array,
  ys: Float64Array,
  { rgb, width, dash }: { rgb: Rgb; width: number; dash: readonly number[] },
): void {
  const reach = emptyReach(raster.width);
  for (let at = 0; at < xs.length; at++) {
    if (Number.isNaN(ys[at])) continue;
    touch(reach, xs[at]!, ys[at]!, xs[at]!, ys[at]!, width / 2);
    if (at > 0 && !Number.isNaN(ys[at - 1]))
      touch(reach, xs[at - 1]!, ys[at - 1]!, xs[at]!, ys[at]!, width / 2);
  }
  const period = dash.reduce((sum, length) => sum + length, 0);
  for (let column = 0; column < raster.width; column++) {
    if (period > 0 && !isDrawn(dash, column % period)) continue;
    fill(raster, column, reach.top[column]!, reach.bottom[column]!, rgb, 1);
  }
}

/** The stretch between two lines; where either is NaN it has a hole. */
export function rasterBand(
  raster: Raster,
  xs: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  { rgb, opacity }: { rgb: Rgb; opacity: number },
): void {
  const reach = emptyReach(raster.width);
  for (let at = 1; at < xs.length; at++) {
    for (const side of [lower, upper]) {
      // NaN of either end makes NaN of all that is compared with it, and nothing is touched.
      touch(reach, xs[at - 1]!, side[at - 1]!, xs[at]!, side[at]!, 0);
    }
  }
  for (let column = 0; column < raster.width; column++) {
    fill(raster, column, reach.top[column]!, reach.bottom[column]!, rgb, opacity);
  }
}

function emptyReach(width: number): Reach {
  return {
    top: new Float32Array(width).fill(Number.POSITIVE_INFINITY),
    bottom: new Float32Array(width).fill(Number.NEGATIVE_INFINITY),
  };
}

/** Widens the reach of all columns from x0 to x1 by a straight piece, `half` its width to each side. */
function touch({ top, bottom }: Reach, x0: number, y0: number, x1: number, y1: number, half: number): void {
  const first = Math.max(0, Math.floor(x0));
  const last = Math.min(top.length - 1, Math.floor(x1));
  const slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
  // Upright pieces are as wide as a column; what lies flat is as thick as the line is wide, across it.
  const thick = half * Math.sqrt(1 + slope * slope);
  const highest = Math.min(y0, y1) - half;
  const lowest = Math.max(y0, y1) + half;
  for (let column = first; column <= last; column++) {
    const enter = x1 > x0 ? y0 + slope * (Math.max(column, x0) - x0) : y0;
    const leave = x1 > x0 ? y0 + slope * (Math.min(column + 1, x1) - x0) : y1;
    const up = Math.max(Math.min(enter, leave) - thick, highest);
    const down = Math.min(Math.max(enter, leave) + thick, lowest);
    if (up < top[column]!) top[column] = up;
    if (down > bottom[column]!) bottom[column] = down;
  }
}

function isDrawn(dash: readonly number[], place: number): boolean {
  let end = 0;
  for (let index = 0; index < dash.length; index++) {
    end += dash[index]!;
    if (place < end) return index % 2 === 0;
  }
  return true;
}

/** Both ends are as strong as the part of their pixel that is covered. */
function fill(raster: Raster, column: number, top: number, bottom: number, rgb: Rgb, opacity: number): void {
  const from = Math.max(0, Math.floor(top));
  const to = Math.min(raster.height - 1, Math.ceil(bottom) - 1);
  for (let row = from; row <= to; row++) {
    const covered = Math.min(row + 1, bottom) - Math.max(row, top);
    blend(raster.pixels, (row * raster.width + column) * 4, rgb, opacity * covered);
  }
}

function blend(pixels: Uint8ClampedArray, at: number, [red, green, blue]: Rgb, alpha: number): void {
  const under = (pixels[at + 3]! / 255) * (1 - alpha);
  const whole = alpha + under;
  if (whole <= 0) return;
  const part = alpha / whole;
  pixels[at] = pixels[at]! + (red - pixels[at]!) * part;
  pixels[at + 1] = pixels[at + 1]! + (green - pixels[at + 1]!) * part;
  pixels[at + 2] = pixels[at + 2]! + (blue - pixels[at + 2]!) * part;
  pixels[at + 3] = whole * 255;
}
