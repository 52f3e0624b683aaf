import { firstRow } from "#lib/engine/series/window";
import type { Band } from "./columns.ts";
import type { ChartSeries, PreparedComparison } from "./prepare-comparison.ts";
import { dashOf, markerOf } from "./series-style.ts";

/** Number of a point to draw; `percent` is the difference in per cent of the baseline at that point. */
export type Measure = "value" | "difference" | "percent" | "cumulative";

/** Series as drawn: numbers at `xs` with NaN for missing values, and the band if one is shown. */
export type ChartLine = {
  id: string;
  color: string;
  dash: number[];
  marker: number;
  width: number;
  ys: Float64Array;
  band: Band | null;
};

export type ChartLines = { xs: Float64Array; lines: ChartLine[] };

/** Maximum number of bands. Above it, only the baseline's band is drawn because overlaid bands are unreadable. */
export const BANDS_MAX = 6;

/** Pixels by which a line's edge in the colour of the page is wider, so that lines stay visible on similar bands. */
export const EDGES = 2;

/** Returns the opacity of each layer of a band. Fainter with several bands, which cover each other and the lines. */
export const bandOpacity = ({ lines }: ChartLines): number =>
  0.13 / Math.sqrt(Math.max(1, lines.filter(({ band }) => band !== null).length));

/**
 * Selects the columns to draw, once per response and measure; zooming and panning only map them to pixels. The baseline
 * has no line in differences. `only` holds the indexes of the series to draw; all series without it.
 */
export function prepareLines(
  { xs, series }: PreparedComparison,
  measure: Measure,
  bands: boolean,
  only?: readonly number[],
): ChartLines {
  const shown = series.map((_, index) => index).filter((index) => only?.includes(index) ?? true);
  const baseline = series.find(({ isBaseline }) => isBaseline);
  const lines = shown.flatMap((index): ChartLine[] => {
    const one = series[index]!;
    const { id, color, dash, isBaseline, band } = one;
    const ys = measured(one, measure, baseline);
    // The baseline has no line in differences, nor have known values before it.
    if (!ys || (isBaseline && measure !== "value")) return [];
    const hasBand = bands && measure === "value" && (shown.length <= BANDS_MAX || isBaseline);
    return [
      {
        id,
        color,
        dash: dash.split(" ").filter(Boolean).map(Number),
        marker: series.length > 1 && dash === dashOf(index) ? markerOf(index) : -1,
        width: isBaseline ? 2.5 : 2,
        ys,
        band: hasBand ? band : null,
      },
    ];
  });
  return { xs, lines };
}

/** Returns the column of a measure. */
function measured(
  { values, differences, cumulative }: ChartSeries,
  measure: Measure,
  baseline: ChartSeries | undefined,
): Float64Array | null | undefined {
  if (measure === "value") return values;
  if (measure === "cumulative") return cumulative;
  if (measure === "difference") return differences;
  return differences?.map((difference, at) => percentOf(difference, baseline?.values[at]));
}

/** Returns NaN if the baseline is 0 or missing. */
export function percentOf(difference = Number.NaN, baseline = Number.NaN): number {
  const percent = (difference / Math.abs(baseline)) * 100;
  return Number.isFinite(percent) ? percent : Number.NaN;
}

/** Returns the points to draw for a span: those inside it and one on each side, so that lines leave the frame. */
export function visible(
  xs: Float64Array,
  [from, to]: readonly [number, number],
): { start: number; end: number } {
  return { start: Math.max(0, firstFrom(xs, from) - 1), end: Math.min(xs.length, firstFrom(xs, to) + 2) };
}

/** Returns the index of the point nearest to x, or -1 without points. */
export function nearest(xs: Float64Array, x: number): number {
  const after = firstFrom(xs, x);
  if (after === 0) return xs.length === 0 ? -1 : 0;
  if (after === xs.length) return after - 1;
  return xs[after]! - x < x - xs[after - 1]! ? after : after - 1;
}

const firstFrom = (xs: Float64Array, x: number) => firstRow(xs, (value) => !(value < x));

/** Returns the lowest and highest number drawn in a span, including bands; differences include 0. */
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
