"use client";

import { type KeyboardEvent, useMemo, useState } from "react";
import { pointLabel } from "#components/chart/axis.ts";
import { ChartAxes } from "#components/chart/chart-axes.tsx";
import { margins } from "#components/chart/comparison-chart.tsx";
import { nearest } from "#components/chart/lines.ts";
import { niceTicks } from "#components/chart/nice-ticks.ts";
import { pointOfKey } from "#components/chart/point-key.ts";
import { fromX, type Scale, toX, toY } from "#components/chart/scale.ts";
import { isShortcut, useGestures } from "#components/chart/use-gestures.ts";
import { useWidth } from "#components/chart/use-size.ts";
import type { PreparedWhy } from "./prepare-why.ts";
import { edgesOf, stackParts, stepPath } from "./stack-parts.ts";

const HEIGHT = 216;
const GAP = 14;

/** Stacks the contributions at each point: positive ones upwards, negative ones downwards. */
export function WhyChart({ prepared, label }: { prepared: PreparedWhy; label: string }) {
  const { xs, domain, steps } = prepared;
  const { ref, width } = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const { stacks, extent } = useMemo(() => stackParts(prepared), [prepared]);
  const ticks = useMemo(() => niceTicks(...extent, 4), [extent]);
  const scale = useMemo(
    (): Scale => ({
      // A single point fills the chart.
      x: domain[1] > domain[0] ? domain : [domain[0] - 1, domain[0] + 1],
      y: [ticks[0]!, ticks.at(-1)!],
      left: margins.left,
      top: margins.top,
      right: Math.max(margins.left, width - margins.right),
      bottom: HEIGHT - margins.bottom,
    }),
    [domain, ticks, width],
  );
  const areas = useMemo(() => {
    const edges = edgesOf({ xs, domain: [...scale.x] as [number, number] });
    return stacks.map((stack) =>
      stepPath(
        stack,
        edges,
        (x) => toX(scale, x),
        (y) => toY(scale, y),
      ),
    );
  }, [stacks, xs, scale]);
  const { ref: area, handlers } = useGestures(scale, {
    onPoint: (pixel) => setAt(pixel === null ? null : nearest(xs, fromX(scale, pixel))),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (isShortcut(event)) return;
    const moved = pointOfKey(event, at ?? -1, [0, xs.length - 1]);
    if (moved === null && event.key !== "Escape") return;
    setAt(moved);
    event.preventDefault();
  };
  const place = at === null ? null : toX(scale, xs[at]!);
  return (
    <figure ref={ref} aria-label={label} className="relative select-none" style={{ height: HEIGHT }}>
      {width > 0 && (
        <>
          <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
            <ChartAxes
              scale={scale}
              axis={prepared}
              measure="difference"
              target={prepared.scale}
              ticks={ticks}
            />
            {steps.map(({ id, color }, index) => (
              <path key={id} d={areas[index]} fill={color} fillOpacity={0.7} />
            ))}
            {place !== null && (
              <line
                x1={place}
                x2={place}
                y1={scale.top}
                y2={scale.bottom}
                stroke="var(--ink-faint)"
                strokeDasharray="3 3"
              />
            )}
          </svg>
          <div
            ref={area}
            {...handlers}
            onKeyDown={onKeyDown}
            onBlur={() => setAt(null)}
            role="slider"
            tabIndex={0}
            aria-label="Point of the contributions"
            aria-valuemin={0}
            aria-valuemax={xs.length - 1}
            aria-valuenow={at ?? 0}
            aria-valuetext={
              at === null ? "No point selected: press an arrow key" : describeParts(prepared, at)
            }
            className="absolute inset-0 cursor-crosshair touch-pan-y rounded-md"
          />
          {at !== null && place !== null && (
            <PointParts
              prepared={prepared}
              at={at}
              side={place > width / 2 ? { right: width - place + GAP } : { left: place + GAP }}
            />
          )}
        </>
      )}
    </figure>
  );
}

/** Describes a point in words: "3 May 2026: price +2, temperature −1". */
function describeParts(prepared: PreparedWhy, at: number): string {
  const parts = prepared.steps.map(({ name, values }) => `${name} ${prepared.scale.signed(values[at])}`);
  return `${pointLabel(prepared, prepared.xs[at]!)}: ${parts.join(", ")}`;
}

function PointParts({
  prepared,
  at,
  side,
}: {
  prepared: PreparedWhy;
  at: number;
  /** Distance from the left or the right side of the chart, in pixels. */
  side: { left: number } | { right: number };
}) {
  const { xs, steps, scale } = prepared;
  return (
    <div
      className="pointer-events-none absolute top-2 z-20 rounded-md border bg-raised px-3 py-2 text-xs shadow-lift"
      style={side}
    >
      <p className="mb-1.5 font-medium">{pointLabel(prepared, xs[at]!)}</p>
      <ul className="figures space-y-0.5">
        {steps.map(({ id, name, color, values }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="size-2.5 shrink-0 rounded-sm" style={{ backgroundColor: color }} />
            <span className="line-clamp-2 max-w-44 flex-1 [overflow-wrap:anywhere]">{name}</span>
            <span className="font-medium">{scale.signed(values[at])}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
