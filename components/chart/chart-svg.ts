import type { Shown } from "#components/display/shown.ts";
import { bucketText, incompleteText, pointLabel, tickFormatter } from "./axis.ts";
import { axisTicks } from "./axis-ticks.ts";
import { measureTitle, tickFormat } from "./chart-axes.tsx";
import { layersOf } from "./columns.ts";
import { forRuns, type Paint } from "./draw-lines.ts";
import { lineEnds } from "./line-ends.ts";
import { bandOpacity, type ChartLine, EDGES, extent, type Measure, prepareLines, visible } from "./lines.ts";
import { niceTicks } from "./nice-ticks.ts";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { type Scale, type Span, toX, toY } from "./scale.ts";
import { markerPath } from "./series-style.ts";

const width = 1_200;
const plotHeight = 560;
const LEGEND_ROW = 24;
const LEGEND_COLUMNS = 3;
const PNG_SCALE = 2;

/**
 * Renders the chart as a self-contained SVG with title, period, axes, lines and legend, in the colours of `paint`.
 */
export function chartSvg(
  prepared: PreparedComparison,
  {
    measure,
    target,
    title,
    span,
    bands,
    only,
    baselineText = "baseline",
  }: {
    measure: Measure;
    target: Shown;
    title: string;
    span: Span;
    bands: boolean;
    only?: readonly number[] | undefined;
    /** Text of the legend beside the series that the others are compared with. */
    baselineText?: string;
  },
  paint: Paint,
): string {
  const color = (name: string) => paint(name).css;
  const chart = prepareLines(prepared, measure, bands, only);
  const opacity = bandOpacity(chart).toFixed(3);
  const ticks = niceTicks(...extent(chart, measure, span), 5);
  const y: Span = [ticks[0]!, ticks.at(-1)!];
  const scale: Scale = { x: span, y, left: 84, right: width - 32, top: 104, bottom: plotHeight };
  const legendRows = Math.ceil(chart.lines.length / LEGEND_COLUMNS);
  const height = plotHeight + 52 + legendRows * LEGEND_ROW + 12;
  const { start, end } = visible(chart.xs, span);
  const xs = chart.xs.slice(start, end).map((x) => toX(scale, x));
  const onY = (values: Float64Array) => values.slice(start, end).map((value) => toY(scale, value));
  const text = (x: number, at: number, words: string, more = "") =>
    `<text x="${round(x)}" y="${round(at)}" ${more}>${escaped(words)}</text>`;
  const areas = ({ band, color: name }: ChartLine) =>
    layersOf(band).map(
      ({ lower, upper }) =>
        `<path d="${areaPath(xs, onY(lower), onY(upper))}" fill="${color(name)}" opacity="${opacity}"/>`,
    );
  const path = (py: Float64Array, { dash }: ChartLine, stroke: string, width: number) => {
    const dashes = dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    return `<path d="${linePath(xs, py)}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round"${dashes}/>`;
  };
  const edge = (one: ChartLine) => path(onY(one.ys), one, color("var(--surface)"), one.width + EDGES);
  const line = (one: ChartLine, index: number) => {
    const { ys, width, marker } = one;
    const stroke = color(one.color);
    const py = onY(ys);
    const every = Math.max(1, Math.ceil(xs.length / 6));
    const marks =
      marker < 0
        ? ""
        : Array.from(xs, (x, at) =>
            at % every === Math.floor((index / chart.lines.length) * every) && !Number.isNaN(py[at])
              ? `<path d="${markerPath(marker, round(x), round(py[at]!), 3.5)}" fill="${stroke}"/>`
              : "",
          ).join("");
    return path(py, one, stroke, width) + marks;
  };
  const drawn = [...chart.lines.flatMap(areas), ...chart.lines.map(edge), ...chart.lines.map(line)];
  const legend = chart.lines.map(({ id, dash, marker, color: name }, index) => {
    const series = prepared.series.find((one) => one.id === id);
    const x = scale.left + (index % LEGEND_COLUMNS) * ((scale.right - scale.left) / LEGEND_COLUMNS);
    const at = plotHeight + 56 + Math.floor(index / LEGEND_COLUMNS) * LEGEND_ROW;
    const stroke = color(name);
    const mark = marker < 0 ? "" : `<path d="${markerPath(marker, x + 14, at, 3.5)}" fill="${stroke}"/>`;
    const words = `${series?.title ?? ""}${series?.isBaseline && baselineText ? ` (${baselineText})` : ""}`;
    return `<path d="M${x} ${at}h28" stroke="${stroke}" stroke-width="2.25" stroke-dasharray="${dash.join(" ")}"/>${mark}${text(x + 38, at + 4, shortened(words), `fill="${color("var(--ink-soft)")}"`)}`;
  });
  const names = lineEnds(chart, prepared.series, scale).map(({ text: words, color: name, x, y }) =>
    text(
      x - 4,
      y,
      words,
      `text-anchor="end" font-size="12" font-weight="600" fill="${color(name)}" stroke="${color("var(--surface)")}" stroke-width="4" stroke-linejoin="round" paint-order="stroke"`,
    ),
  );
  const origin =
    prepared.origin === undefined
      ? ""
      : `<path d="M${round(toX(scale, prepared.origin))} ${scale.top}V${scale.bottom}" stroke="${color("var(--ink-faint)")}" stroke-dasharray="2 3"/>`;
  const value = tickFormat(measure, target, ticks);
  const moments = axisTicks(prepared.kind, span, 9, prepared.period);
  const moment = tickFormatter(prepared.kind, moments, prepared.period);
  const faint = `fill="${color("var(--ink-faint)")}"`;
  const period = `${pointLabel(prepared, Math.round(span[0]))} – ${pointLabel(prepared, Math.round(span[1]))}${prepared.buckets ? `, ${bucketText(prepared.buckets)}` : ""}`;
  const incomplete = incompleteText(prepared);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Geist, system-ui, sans-serif" font-size="13">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="${color("var(--surface)")}"/>`,
    text(32, 38, title, `font-size="18" font-weight="600" fill="${color("var(--ink)")}"`),
    text(32, 60, incomplete === null ? period : `${period}. ${incomplete}`, faint),
    text(32, 88, measureTitle(measure, target), faint),
    ...ticks.map((tick) => {
      const at = round(toY(scale, tick));
      return `<path d="M${scale.left} ${at}H${scale.right}" stroke="${color("var(--line)")}"/>${text(scale.left - 10, at + 4, value(tick), `text-anchor="end" ${faint}`)}`;
    }),
    ...moments.map((tick) =>
      text(toX(scale, tick), plotHeight + 22, moment(tick), `text-anchor="middle" ${faint}`),
    ),
    `<clipPath id="plot"><rect x="${scale.left}" y="${scale.top}" width="${scale.right - scale.left}" height="${scale.bottom - scale.top}"/></clipPath>`,
    `<g clip-path="url(#plot)">${origin}${drawn.join("")}</g>`,
    ...names,
    ...legend,
    "</svg>",
  ].join("");
}

/** Renders the PNG at twice the size, so that it is sharp on paper and on high-density screens. */
export async function svgToPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width * PNG_SCALE;
    canvas.height = image.height * PNG_SCALE;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { promise, resolve } = Promise.withResolvers<Blob | null>();
    canvas.toBlob(resolve, "image/png");
    const blob = await promise;
    if (blob === null) throw new Error("The browser could not create the PNG file. Export as SVG instead.");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

function linePath(xs: Float64Array, ys: Float64Array): string {
  let path = "";
  forRuns(ys, (from, to) => {
    for (let at = from; at < to; at++)
      path += `${at === from ? "M" : "L"}${round(xs[at]!)} ${round(ys[at]!)}`;
    // Draws an isolated value as a dash as long as the line is thick.
    if (to - from === 1) path += "h2";
  });
  return path;
}

function areaPath(xs: Float64Array, lower: Float64Array, upper: Float64Array): string {
  let path = "";
  forRuns(
    lower.map((low, at) => low + upper[at]!),
    (from, to) => {
      for (let at = from; at < to; at++)
        path += `${at === from ? "M" : "L"}${round(xs[at]!)} ${round(upper[at]!)}`;
      for (let at = to - 1; at >= from; at--) path += `L${round(xs[at]!)} ${round(lower[at]!)}`;
      path += "Z";
    },
  );
  return path;
}

const round = (value: number) => Math.round(value * 10) / 10;
const LEGEND_TEXT_MAX = 42;
/** Cuts only between characters: the browser would show half of one as an unknown character. */
const shortened = (words: string) =>
  words.length <= LEGEND_TEXT_MAX
    ? words
    : `${words.slice(0, LEGEND_TEXT_MAX - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

function escaped(words: string): string {
  const named: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return words.replace(/[&<>"]/g, (sign) => named[sign]!);
}
