"use client";

import { type PointerEvent, useState } from "react";
import { type Scale, toX, toY } from "#components/chart/scale.ts";
import { useWidth } from "#components/chart/use-size.ts";
import { useTarget } from "#components/display/displays.tsx";
import { formatNumber, formatSigned } from "#components/ui/format.ts";
import { palette } from "#components/ui/palette.ts";
import type { ScatterPairs } from "./prepare-validation.ts";

const HEIGHT = 340;
const EDGE = { left: 80, right: 16, top: 8, bottom: 40 };
/** Largest distance in pixels at which the pointer selects a point. */
const REACH = 16;

/** Scatter plot of predictions over actuals. Points on the diagonal are exact. */
export function ValidationScatter({
  actual,
  predicted,
  ticks,
  label,
}: ScatterPairs & {
  /** Ticks of both axes; the first and the last are the bounds. */
  ticks: number[];
  label: string;
}) {
  const target = useTarget();
  const { ref, width } = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const bounds = [ticks[0] ?? 0, ticks.at(-1) ?? 1] as const;
  const scale: Scale = {
    x: bounds,
    y: bounds,
    left: EDGE.left,
    top: EDGE.top,
    right: Math.max(EDGE.left, width - EDGE.right),
    bottom: HEIGHT - EDGE.bottom,
  };
  const { left, right, top, bottom } = scale;
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let [closest, least]: [number | null, number] = [null, REACH];
    actual.forEach((value, index) => {
      const distance = Math.hypot(toX(scale, value) - x, toY(scale, predicted[index]!) - y);
      if (distance < least) [closest, least] = [index, distance];
    });
    setAt(closest);
  };
  return (
    <figure
      ref={ref}
      aria-label={label}
      className="relative m-0"
      style={{ height: HEIGHT }}
      onPointerMove={onPointerMove}
      onPointerLeave={() => setAt(null)}
    >
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          aria-hidden="true"
          className="figures text-[11px]"
        >
          <g className="fill-ink-faint">
            {ticks.map((tick) => (
              <g key={tick}>
                <line
                  x1={toX(scale, tick)}
                  x2={toX(scale, tick)}
                  y1={top}
                  y2={bottom}
                  className="stroke-line"
                />
                <line
                  x1={left}
                  x2={right}
                  y1={toY(scale, tick)}
                  y2={toY(scale, tick)}
                  className="stroke-line"
                />
                <text x={toX(scale, tick)} y={bottom + 16} textAnchor="middle">
                  {formatNumber(tick)}
                </text>
                <text x={left - 8} y={toY(scale, tick)} dy="0.32em" textAnchor="end">
                  {formatNumber(tick)}
                </text>
              </g>
            ))}
            <text x={(left + right) / 2} y={HEIGHT - 6} textAnchor="middle">
              {target.head("Actual")}
            </text>
            <text transform={`translate(12 ${(top + bottom) / 2}) rotate(-90)`} textAnchor="middle">
              {target.head("Predicted")}
            </text>
          </g>
          <line
            x1={left}
            x2={right}
            y1={bottom}
            y2={top}
            className="stroke-ink-faint"
            strokeDasharray="4 4"
          />
          <g fill={palette[0]} fillOpacity={0.5}>
            {actual.map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: several rows can have the same values
              <circle key={index} cx={toX(scale, value)} cy={toY(scale, predicted[index]!)} r={4} />
            ))}
          </g>
        </svg>
      )}
      {at !== null && (
        <p
          className="figures pointer-events-none absolute z-20 rounded-md border bg-raised px-3 py-2 text-xs shadow-lift"
          style={{
            top: Math.min(toY(scale, predicted[at]!) + 8, HEIGHT - 40),
            ...(toX(scale, actual[at]!) > width / 2
              ? { right: width - toX(scale, actual[at]!) + 8 }
              : { left: toX(scale, actual[at]!) + 8 }),
          }}
        >
          actual {formatNumber(actual[at])} · predicted {formatNumber(predicted[at])} ·{" "}
          {formatSigned(predicted[at]! - actual[at]!)}
        </p>
      )}
    </figure>
  );
}
