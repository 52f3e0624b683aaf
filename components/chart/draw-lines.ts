import { layersOf } from "./columns.ts";
import { bandOpacity, type ChartLine, type ChartLines, EDGES, visible } from "./lines.ts";
import { createRaster, type Raster, type Rgb, rasterBand, rasterLine } from "./raster.ts";
import { type Scale, type Span, toX, toY } from "./scale.ts";
import { markerPath } from "./series-style.ts";

/** Total line length, in pixels, above which lines are filled column by column instead of stroked; see `raster.ts`. */
const STROKED_MAX = 12_000;
const SHADE_OPACITY = 0.1;
const MARKER_SIZE = 3.2;
const MARKER_EVERY = 150;

/** Colour of the page as a CSS string for the canvas and as RGB values for pixels. */
export type Paint = (color: string) => { css: string; rgb: Rgb };

/** A line in canvas pixels; `areas` are the layers of its band, widest first. */
export type Placed = Pick<ChartLine, "color" | "dash" | "marker" | "width"> & {
  px: Float64Array;
  py: Float64Array;
  areas: readonly { lower: Float64Array; upper: Float64Array }[];
};

/**
 * Draws bands, lines and markers inside the scale's frame. The scale is in canvas pixels; `ratio` canvas pixels make
 * one CSS pixel.
 */
export function drawLines(
  context: CanvasRenderingContext2D,
  chart: ChartLines,
  scale: Scale,
  { ratio, paint, shades = [] }: { ratio: number; paint: Paint; shades?: readonly Span[] },
): void {
  const { canvas } = context;
  const { start, end } = visible(chart.xs, scale.x);
  const px = chart.xs.slice(start, end).map((x) => toX(scale, x) - scale.left);
  const onY = (values: Float64Array) => values.slice(start, end).map((y) => toY(scale, y));
  const placed = chart.lines.map(
    (line): Placed => ({
      ...line,
      px,
      py: onY(line.ys),
      areas: layersOf(line.band).map(({ lower, upper }) => ({ lower: onY(lower), upper: onY(upper) })),
    }),
  );
  const width = Math.round(scale.right - scale.left);
  const opacity = bandOpacity(chart);
  context.reset();
  if (width <= 0) return;
  context.beginPath();
  context.rect(scale.left, 0, width, canvas.height);
  context.clip();
  if (lengthOf(placed) > STROKED_MAX * ratio) {
    const image = blankImage(context, width);
    const raster = createRaster(width, canvas.height, image.data);
    rasterLines(raster, placed, { ratio, paint, opacity });
    context.putImageData(image, Math.round(scale.left), 0);
    context.translate(scale.left, 0);
  } else {
    context.translate(scale.left, 0);
    for (const { color, areas } of placed) {
      for (const { lower, upper } of areas)
        fillBand(context, px, lower, upper, { color: paint(color).css, opacity });
    }
    for (const line of placed)
      strokeLine(context, { ...line, width: line.width + EDGES }, paint("var(--surface)").css, ratio);
    for (const line of placed) strokeLine(context, line, paint(line.color).css, ratio);
  }
  for (const [index, line] of placed.entries())
    drawMarkers(context, line, index / placed.length, { ratio, paint });
  // `putImageData` replaces existing pixels, so the bottom layers are drawn last.
  context.globalCompositeOperation = "destination-over";
  context.globalAlpha = SHADE_OPACITY;
  context.fillStyle = paint("var(--warn)").css;
  for (const [from, to] of shades) {
    const at = toX(scale, from) - scale.left;
    context.fillRect(at, scale.top, toX(scale, to) - scale.left - at, scale.bottom - scale.top);
  }
}

/** Draws lines, their edges and bands from the topmost down: hidden parts of lower ones need no drawing. */
export function rasterLines(
  raster: Raster,
  lines: readonly Placed[],
  { ratio, paint, opacity }: { ratio: number; paint: Paint; opacity: number },
): void {
  const topmost = lines.toReversed();
  const draw = ({ px, py, dash }: Placed, rgb: Rgb, width: number) =>
    rasterLine(raster, px, py, { rgb, width: width * ratio, dash: dash.map((one) => one * ratio) });
  for (const line of topmost) draw(line, paint(line.color).rgb, line.width);
  // Without bands there is nothing from which an edge would set a line apart.
  if (lines.every(({ areas }) => areas.length === 0)) return;
  for (const line of topmost) draw(line, paint("var(--surface)").rgb, line.width + EDGES);
  for (const { px, color, areas } of topmost) {
    for (const { lower, upper } of areas)
      rasterBand(raster, px, lower, upper, { rgb: paint(color).rgb, opacity });
  }
}

const images = new WeakMap<HTMLCanvasElement, ImageData>();

/** Reuses the canvas' pixel buffer: allocating one per frame would take longer than the drawing. */
function blankImage(context: CanvasRenderingContext2D, width: number): ImageData {
  const { canvas } = context;
  const known = images.get(canvas);
  if (known?.width === width && known.height === canvas.height) {
    known.data.fill(0);
    return known;
  }
  const made = context.createImageData(width, canvas.height);
  images.set(canvas, made);
  return made;
}

/** Returns the total length of all lines in pixels. */
function lengthOf(lines: readonly Placed[]): number {
  let length = 0;
  for (const { px, py } of lines) {
    for (let at = 1; at < px.length; at++) {
      const rise = Math.abs(py[at]! - py[at - 1]!);
      if (!Number.isNaN(rise)) length += rise + px[at]! - px[at - 1]!;
    }
  }
  return length;
}

function strokeLine(
  context: CanvasRenderingContext2D,
  { px, py, width, dash }: Placed,
  color: string,
  ratio: number,
): void {
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineWidth = width * ratio;
  context.lineJoin = "round";
  context.setLineDash(dash.map((one) => one * ratio));
  context.beginPath();
  forRuns(py, (from, to) => {
    context.moveTo(px[from]!, py[from]!);
    // Draws an isolated value between gaps as a dot.
    if (to - from === 1) context.arc(px[from]!, py[from]!, (width * ratio) / 2, 0, 2 * Math.PI);
    for (let at = from + 1; at < to; at++) context.lineTo(px[at]!, py[at]!);
  });
  context.stroke();
  context.setLineDash([]);
}

function fillBand(
  context: CanvasRenderingContext2D,
  px: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  { color, opacity }: { color: string; opacity: number },
): void {
  context.fillStyle = color;
  context.globalAlpha = opacity;
  forRuns(
    lower.map((low, at) => low + upper[at]!),
    (from, to) => {
      context.beginPath();
      for (let at = from; at < to; at++) context.lineTo(px[at]!, upper[at]!);
      for (let at = to - 1; at >= from; at--) context.lineTo(px[at]!, lower[at]!);
      context.fill();
    },
  );
  context.globalAlpha = 1;
}

/** Draws markers at regular distances. Each series is shifted a little so that markers do not overlap. */
function drawMarkers(
  context: CanvasRenderingContext2D,
  { px, py, marker, color }: Placed,
  shift: number,
  { ratio, paint }: { ratio: number; paint: Paint },
): void {
  if (marker < 0) return;
  context.fillStyle = paint(color).css;
  context.strokeStyle = paint("var(--surface)").css;
  context.lineWidth = ratio;
  const shape = new Path2D(markerPath(marker, 0, 0, MARKER_SIZE * ratio));
  let next = Math.max(0, px[0] ?? 0) + MARKER_EVERY * ratio * (0.2 + 0.8 * shift);
  for (let at = 0; at < px.length; at++) {
    if (px[at]! < next || Number.isNaN(py[at])) continue;
    context.translate(px[at]!, py[at]!);
    context.fill(shape);
    context.stroke(shape);
    context.translate(-px[at]!, -py[at]!);
    next = px[at]! + MARKER_EVERY * ratio;
  }
}

/** Calls back for each run of values without a gap. */
export function forRuns(values: Float64Array, run: (from: number, to: number) => void): void {
  let from = -1;
  for (let at = 0; at <= values.length; at++) {
    const missing = at === values.length || Number.isNaN(values[at]);
    if (!missing && from === -1) from = at;
    if (missing && from !== -1) {
      run(from, at);
      from = -1;
    }
  }
}
