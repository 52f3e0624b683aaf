/**
 * Pixel buffer drawn column by column. A browser needs tenths of a second to stroke a path of thousands of steep
 * segments. The visible result is one vertical range per pixel column, which this module computes and fills in a
 * millisecond. New pixels go below existing ones, so hidden parts of overlaid lines are never filled. Colours are not
 * premultiplied, as `putImageData` expects.
 */
export type Raster = {
  width: number;
  height: number;
  pixels: Uint8ClampedArray;
  /** The same pixels as one number per pixel. */
  words: Uint32Array;
  /** Opaque rows of each column: start (inclusive) and end (exclusive). */
  opaque: { from: Int32Array; to: Int32Array };
};

/** @param pixels four bytes each, all of them 0 */
export function createRaster(width: number, height: number, pixels: Uint8ClampedArray<ArrayBuffer>): Raster {
  const nowhere = () => new Int32Array(width).fill(height);
  const opaque = { from: nowhere(), to: nowhere() };
  return { width, height, pixels, words: new Uint32Array(pixels.buffer), opaque };
}

export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * Highest and lowest position that a line reaches in each column; `top > bottom` if the line does not reach the column.
 */
type Reach = { top: Float32Array; bottom: Float32Array };

/**
 * Draws a line through pixel positions, with gaps where y is NaN. Each column gets the full vertical range of the line,
 * so an extreme of a single point stays visible even if many points share its column. Dashes are counted in columns.
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
    // Draws a run's first point separately, because the run may have no other point.
    const from = at > 0 && !Number.isNaN(ys[at - 1]) ? at - 1 : at;
    touch(reach, xs[from]!, ys[from]!, xs[at]!, ys[at]!, width / 2);
  }
  const ink = inkOf(rgb, 1);
  const period = dash.reduce((sum, length) => sum + length, 0);
  for (let column = 0; column < raster.width; column++) {
    if (period > 0 && !isDrawn(dash, column % period)) continue;
    fill(raster, column, reach.top[column]!, reach.bottom[column]!, ink);
  }
}

/** Fills the area between two lines; NaN in either line leaves a gap. */
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
      // Comparisons with NaN are false, so NaN at either end draws nothing.
      touch(reach, xs[at - 1]!, side[at - 1]!, xs[at]!, side[at]!, 0);
    }
  }
  const ink = inkOf(rgb, opacity);
  for (let column = 0; column < raster.width; column++) {
    fill(raster, column, reach.top[column]!, reach.bottom[column]!, ink);
  }
}

function emptyReach(width: number): Reach {
  return {
    top: new Float32Array(width).fill(Number.POSITIVE_INFINITY),
    bottom: new Float32Array(width).fill(Number.NEGATIVE_INFINITY),
  };
}

/** Extends the range of all columns from x0 to x1 by a straight segment with `half` its width on each side. */
function touch({ top, bottom }: Reach, x0: number, y0: number, x1: number, y1: number, half: number): void {
  const first = Math.max(0, Math.floor(x0));
  const last = Math.min(top.length - 1, Math.floor(x1));
  const slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
  // Steep segments are as wide as a column; flat segments have the line's thickness across their direction.
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

/** `word` is the opaque colour as a whole pixel, in the byte order of `Raster.words`. */
type Ink = { rgb: Rgb; word: number; opacity: number };

function inkOf(rgb: Rgb, opacity: number): Ink {
  // Big-endian machines store the last byte first.
  const word = new Uint32Array(Uint8ClampedArray.of(...rgb, 255).buffer)[0]!;
  return { rgb, word, opacity };
}

/** Both ends are as opaque as the covered part of their pixel. */
function fill(raster: Raster, column: number, top: number, bottom: number, ink: Ink): void {
  const { width, height, pixels, words, opaque } = raster;
  const { rgb, word, opacity } = ink;
  const from = Math.max(0, Math.floor(top));
  const to = Math.min(height, Math.ceil(bottom));
  const hiddenFrom = opaque.from[column]!;
  const hiddenTo = opaque.to[column]!;
  // Fully covered rows hide everything drawn later.
  const hidesFrom = opacity === 1 ? Math.max(0, Math.ceil(top)) : to;
  const hidesTo = opacity === 1 ? Math.min(height, Math.floor(bottom)) : to;
  for (let row = from; row < to; row++) {
    if (row >= hiddenFrom && row < hiddenTo) {
      row = hiddenTo - 1;
      continue;
    }
    const pixel = row * width + column;
    const hides = row >= hidesFrom && row < hidesTo;
    if (hides && words[pixel] === 0) words[pixel] = word;
    else {
      const covered = Math.min(row + 1, bottom) - Math.max(row, top);
      blendUnder(pixels, pixel * 4, rgb, opacity * covered);
    }
  }
  if (hidesTo <= hidesFrom) return;
  if (hidesFrom <= hiddenTo && hiddenFrom <= hidesTo) {
    opaque.from[column] = Math.min(hidesFrom, hiddenFrom);
    opaque.to[column] = Math.max(hidesTo, hiddenTo);
  } else if (hidesTo - hidesFrom > hiddenTo - hiddenFrom) {
    opaque.from[column] = hidesFrom;
    opaque.to[column] = hidesTo;
  }
}

function blendUnder(pixels: Uint8ClampedArray, at: number, [red, green, blue]: Rgb, alpha: number): void {
  if (pixels[at + 3] === 255) return;
  const over = pixels[at + 3]! / 255;
  const added = alpha * (1 - over);
  const whole = over + added;
  if (whole <= 0) return;
  const part = added / whole;
  pixels[at] = pixels[at]! + (red - pixels[at]!) * part;
  pixels[at + 1] = pixels[at + 1]! + (green - pixels[at + 1]!) * part;
  pixels[at + 2] = pixels[at + 2]! + (blue - pixels[at + 2]!) * part;
  pixels[at + 3] = whole * 255;
}
