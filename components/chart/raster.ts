/**
 * Pixels that are drawn one column after the other. A browser strokes a path of some thousand steep pieces in tenths of
 * a second; what is seen of it is, for each column of pixels, from where to where it reaches, and that is found and
 * filled in a millisecond. Everything is laid under what is there already: what nobody would see of twenty lines over
 * each other is never filled. Colours are not premultiplied, as `putImageData` takes them.
 */
export type Raster = {
  width: number;
  height: number;
  pixels: Uint8ClampedArray;
  /** The same, a number for each pixel. */
  words: Uint32Array;
  /** Of each column rows that nothing shows through any more: from, and up to but not including. */
  opaque: { from: Int32Array; to: Int32Array };
};

/** @param pixels four bytes each, all of them 0 */
export function createRaster(width: number, height: number, pixels: Uint8ClampedArray<ArrayBuffer>): Raster {
  const nowhere = () => new Int32Array(width).fill(height);
  const opaque = { from: nowhere(), to: nowhere() };
  return { width, height, pixels, words: new Uint32Array(pixels.buffer), opaque };
}

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
    // A run's first point for itself: it may be the only one.
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

/** `word`: the colour as a whole pixel that nothing shows through, as `Raster.words` has it. */
type Ink = { rgb: Rgb; word: number; opacity: number };

function inkOf(rgb: Rgb, opacity: number): Ink {
  // Some machines have the last byte of a number first.
  const word = new Uint32Array(Uint8ClampedArray.of(...rgb, 255).buffer)[0]!;
  return { rgb, word, opacity };
}

/** Both ends are as strong as the part of their pixel that is covered. */
function fill(raster: Raster, column: number, top: number, bottom: number, ink: Ink): void {
  const { width, height, pixels, words, opaque } = raster;
  const { rgb, word, opacity } = ink;
  const from = Math.max(0, Math.floor(top));
  const to = Math.min(height, Math.ceil(bottom));
  const hiddenFrom = opaque.from[column]!;
  const hiddenTo = opaque.to[column]!;
  // Rows that hide what comes after: those that are covered as a whole.
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
