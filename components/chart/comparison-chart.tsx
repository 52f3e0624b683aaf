"use client";

import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useTarget } from "#components/display/displays.tsx";
import { ChartAxes } from "./chart-axes.tsx";
import { ChartTooltip, describePoint } from "./chart-tooltip.tsx";
import { LineCanvas } from "./line-canvas.tsx";
import { LineEndNames } from "./line-end-names.tsx";
import { lineEnds } from "./line-ends.ts";
import { extent, type Measure, nearest, prepareLines } from "./lines.ts";
import { niceTicks } from "./nice-ticks.ts";
import { pointOfKey } from "./point-key.ts";
import type { PreparedComparison } from "./prepare-comparison.ts";
import { type OutsideMark, shadedSpans } from "./prepare-outside.ts";
import { fromX, type Scale, type Span, toX } from "./scale.ts";
import { isShortcut, useGestures, zoomKey } from "./use-gestures.ts";
import { useWidth } from "./use-size.ts";

/** Position on the axis that several charts of a page highlight together. */
export type Crosshair = { x: number | null; set(x: number | null): void };

export const margins = { top: 24, right: 16, bottom: 26, left: 64 };
const FEW_TICKS_BELOW = 200;
/** Height above which lines have names. Small charts have a legend beside them. */
const NAMES_FROM = 160;
const unshaded: readonly OutsideMark[] = [];

/**
 * Draws overlaid lines with a crosshair that shows all values and follows the pointer, touch and arrow keys.
 * `prepareComparison` selects the data; a change of `span` only maps the data to other pixels.
 */
export function ComparisonChart({
  prepared,
  measure,
  bands = false,
  intervals = bands,
  height,
  label,
  only,
  fitsShown = false,
  span = prepared.domain,
  onSpan,
  onReset,
  crosshair,
  withDifferences = true,
  baselineText = "baseline",
  outside = unshaded,
}: {
  prepared: PreparedComparison;
  measure: Measure;
  bands?: boolean;
  /** Whether the tooltip shows the prediction intervals. */
  intervals?: boolean;
  height: number;
  label: string;
  /** Indexes of the series to draw. */
  only?: readonly number[] | undefined;
  /** Scales the axis to the drawn series instead of all series. */
  fitsShown?: boolean;
  /** Shown span. */
  span?: Span;
  /** Called during a gesture. Without this callback the chart does not zoom. */
  onSpan?: (span: Span) => void;
  onReset?: () => void;
  crosshair?: Crosshair;
  withDifferences?: boolean;
  /** Text of the tooltip beside the series that the others are compared with. */
  baselineText?: string;
  /** Spans to shade because inputs are outside the known range. */
  outside?: readonly OutsideMark[];
}) {
  const { xs } = prepared;
  const descriptionId = useId();
  const target = useTarget();
  const { ref, width } = useWidth();
  const own = useState<number | null>(null);
  const { x: pointed, set: point } = crosshair ?? { x: own[0], set: own[1] };
  const [active, setActive] = useState(false);
  const all = useMemo(() => prepareLines(prepared, measure, bands), [prepared, measure, bands]);
  const key = only?.join();
  const lines = useMemo(
    () => (key === undefined ? all : prepareLines(prepared, measure, bands, key.split(",").map(Number))),
    [all, prepared, measure, bands, key],
  );
  const shades = useMemo(() => shadedSpans(outside), [outside]);
  const [from, to] = span;
  const { scale, ticks } = useMemo(() => {
    const ticks = niceTicks(
      ...extent(fitsShown ? lines : all, measure, [from, to]),
      height > FEW_TICKS_BELOW ? 5 : 3,
    );
    const scale: Scale = {
      x: [from, to],
      y: [ticks[0]!, ticks.at(-1)!],
      left: margins.left,
      top: margins.top,
      right: Math.max(margins.left, width - margins.right),
      bottom: height - margins.bottom,
    };
    return { scale, ticks };
  }, [all, lines, fitsShown, measure, from, to, width, height]);

  const ends = useMemo(() => lineEnds(lines, prepared.series, scale), [lines, prepared, scale]);
  const at = pointed === null ? -1 : nearest(xs, pointed);
  const moveTo = (index: number) => {
    const place = xs[Math.min(xs.length - 1, Math.max(0, index))];
    if (place === undefined) return;
    point(place);
    setActive(true);
  };
  const gestures = {
    onSpan,
    onReset,
    onPoint(pixel: number | null) {
      setActive(pixel !== null);
      const index = pixel === null ? -1 : nearest(xs, fromX(scale, pixel));
      point(xs[index] ?? null);
    },
  };
  const { ref: area, selection, handlers } = useGestures(scale, gestures);
  const first = nearest(xs, from);
  const last = nearest(xs, to);
  // Without a selected point, the keys begin where the predictions do.
  const { origin = Number.NaN } = prepared;
  const begin = origin >= from && origin <= to ? nearest(xs, origin) : -1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isShortcut(event)) return;
    const moved = pointOfKey(event, at === -1 ? begin : at, [first, last]);
    if (moved !== null) moveTo(moved);
    else if (event.key === "Escape") gestures.onPoint(null);
    else if (!zoomKey(event, scale, pointed ?? (from + to) / 2, gestures)) return;
    event.preventDefault();
  };
  const place = xs[at];
  const isShown = place !== undefined && place >= from && place <= to;
  const x = isShown ? toX(scale, place) : 0;
  return (
    <figure ref={ref} aria-labelledby={descriptionId} className="relative m-0 select-none" style={{ height }}>
      <figcaption id={descriptionId} className="sr-only">
        {label}
      </figcaption>
      {width > 0 && (
        <>
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            className="absolute inset-0"
            aria-hidden="true"
          >
            <ChartAxes scale={scale} axis={prepared} measure={measure} target={target} ticks={ticks} />
            {prepared.origin !== undefined && (
              <OriginLine origin={prepared.origin} scale={scale} isNamed={height > NAMES_FROM} />
            )}
          </svg>
          <LineCanvas lines={lines} shades={shades} scale={scale} width={width} height={height} />
          {height > NAMES_FROM && <LineEndNames ends={ends} width={width} height={height} />}
          {isShown && (
            <span
              className="pointer-events-none absolute w-px bg-ink-faint"
              style={{ left: x, top: scale.top, height: scale.bottom - scale.top }}
            />
          )}
          {selection && (
            <span
              className="pointer-events-none absolute bg-accent/15"
              style={{
                left: Math.min(...selection),
                width: Math.abs(selection[1] - selection[0]),
                top: scale.top,
                height: scale.bottom - scale.top,
              }}
            />
          )}
          <div
            ref={area}
            {...handlers}
            onKeyDown={onKeyDown}
            onBlur={() => gestures.onPoint(null)}
            role="slider"
            tabIndex={0}
            aria-label="Point of the chart"
            aria-describedby={descriptionId}
            aria-valuemin={first}
            aria-valuemax={last}
            aria-valuenow={Math.max(first, at)}
            aria-valuetext={
              isShown
                ? describePoint(prepared, at, { measure, target, only, intervals })
                : "No point selected: press an arrow key"
            }
            className="absolute inset-0 cursor-crosshair touch-pan-y rounded-md"
          />
          {isShown && active && (
            <ChartTooltip
              {...{ x, width, prepared, at, target, intervals, withDifferences, baselineText, outside }}
              {...(only && { only })}
            />
          )}
        </>
      )}
    </figure>
  );
}

/** Marks where the known values end and the predictions begin. */
function OriginLine({ origin, scale, isNamed }: { origin: number; scale: Scale; isNamed: boolean }) {
  const { x, top, bottom, right } = scale;
  if (origin < x[0] || origin > x[1]) return null;
  const at = Math.round(toX(scale, origin)) + 0.5;
  return (
    <g>
      <line x1={at} x2={at} y1={top} y2={bottom} stroke="var(--ink-faint)" strokeDasharray="2 3" />
      {isNamed && right - at > 60 && (
        <text x={at + 5} y={bottom - 6} fontSize="11" fill="var(--ink-faint)">
          Forecast
        </text>
      )}
    </g>
  );
}
