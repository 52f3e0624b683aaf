import type { PreparedComparison } from "./prepare-comparison.ts";
import { dashOf, markerOf } from "./series-style.ts";

/** Which of a point's numbers is drawn; `percent` is the difference in per cent of the baseline at that point. */
export type Measure = "value" | "difference" | "percent" | "cumulative";

/** One series as it is drawn: numbers at `xs`, NaN where there are none; the band where it has one and it is shown. */
export type ChartLine = {
  id: string;
  color: string;
  dash: number[];
  marker: number;
  width: number;
  ys: Float64Array;
  band: { lower: Float64Array; upper: Float64Array } | null;
};

export type ChartLines = { xs: Float64Array; lines: ChartLine[] };

/** More bands than these lie over each other as fog: then the baseline's alone is drawn. */
export const BANDS_MAX = 6;

/**
 * The columns that are drawn, taken out of the points once per answer and measure; zooming and panning only map them to
 * pixels. Of differences the baseline has no line. `only`: indexes of the series to draw, all without it.
 */
export function prepareLines(
  { points, series }: PreparedComparison,
  measure: Measure,
  bands: boolean,
  only?: readonly number[],
): ChartLines {
  const shown = series.map((_, index) => index).filter((index) => only?.includes(index) ?? true);
  const baseline = series.findIndex(({ isBaseline }) => isBaseline);
  const lines = shown.flatMap((index): ChartLine[] => {
    const { id, color, dash, isBaseline } = series[index]!;
    if (isBaseline && measure !== "value") return [];
    const hasBand = bands && measure === "value" && (shown.length <= BANDS_MAX || isBaseline);
    const lower = new Float64Array(hasBand ? points.length : 0);
    const upper = new Float64Array(hasBand ? points.length : 0);
    const ys = Float64Array.from(points, (point, at) => {
      if (hasBand) {
        const band = point[`b${index}`];
        lower[at] = band?.[0] ?? Number.NaN;
        upper[at] = band?.[1] ?? Number.NaN;
      }
      if (measure === "value") return point[`v${index}`] ?? Number.NaN;
      if (measure === "cumulative") return point[`c${index}`] ?? Number.NaN;
      const difference = point[`d${index}`] ?? Number.NaN;
      if (measure === "difference") return difference;
      return percentOf(difference, point[`v${baseline}`]);
    });
    return [
      {
        ...{ id, color, ys, dash: dash.split(" ").filter(Boolean).map(Number) },
        marker: series.length > 1 && dash === dashOf(index) ? markerOf(index) : -1,
        width: isBaseline ? 2.25 : 1.75,
        band: hasBand ? { lower, upper } : null,
      },
    ];
  });
  return { xs: Float64Array.from(points, ({ x }) => x), lines };
}

/** NaN where the baseline is 0 or missing. */
export function percentOf(
  difference: number | null | undefined,
  baseline: number | null | undefined,
): number {
  const percent = ((difference ?? Number.NaN) / Math.abs(baseline ?? Number.NaN)) * 100;
  return Number.isFinite(percent) ? percent : Number.NaN;
}

/** The points to draw of a stretch: those in it and one to each side, so that lines run out of the picture. */
export function visible(
  xs: Float64Array,
  [from, to]: readonly [number, number],
): { start: number; end: number } {
  return { start: Math.max(0, firstFrom(xs, from) - 1), end: Math.min(xs.length, firstFrom(xs, to) + 2) };
}

/** Index of the point that is nearest to x, -1 where there are none. */
export function nearest(xs: Float64Array, x: number): number {
  const after = firstFrom(xs, x);
  if (after === 0) return xs.length === 0 ? -1 : 0;
  if (after === xs.length) return after - 1;
  return xs[after]! - x < x - xs[after - 1]! ? after : after - 1;
}

function firstFrom(xs: Float64Array, x: number): number {
  let low = 0;
  let high = xs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (xs[middle]! < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lowest and highest number drawn in a stretch, bands included; differences take in 0. */
export function extent(
  { xs, lines }: ChartLines,
  measure: Measure,
  span: readonly [number, number],
): [number, number] {
  let low = measure === "value" ? Number.POSITIVE_INFINITY : 0;
  let high = measure === "value" ? Number.NEGATIVE_INFINITY : 0;
  const { start, end } = visible(xs, span);
  for (const { ys, band } of lines) {
    for (const values of band ? [ys, band.lower, band.upper] : [ys]) {
      for (let at = start; at < end; at++) {
        const value = values[at]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
  }
  return low <= high ? [low, high] : [0, 1];
}
