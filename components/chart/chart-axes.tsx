import { memo } from "react";
import type { Shown } from "#components/display/shown.ts";
import { formatSigned } from "#components/ui/format.ts";
import { type ChartAxis, tickFormatter } from "./axis.ts";
import { axisTicks } from "./axis-ticks.ts";
import type { Measure } from "./lines.ts";
import { type Scale, toX, toY } from "./scale.ts";

const PIXELS_A_TICK = 110;

/** Returns the format of the vertical axis. */
export function tickFormat(measure: Measure, target: Shown, ticks: readonly number[]) {
  if (measure === "percent") return (value: number) => `${formatSigned(value)} %`;
  const format = target.tickFormat(ticks);
  return measure === "value"
    ? format
    : (value: number) => formatSigned(value, (one) => (typeof one === "number" ? format(one) : "–"));
}

/** Names the values of the vertical axis: "Demand (MWh)". */
export function measureTitle(measure: Measure, target: Shown): string {
  if (measure === "value") return target.title;
  if (measure === "percent") return `Difference of ${target.name} (%)`;
  return target.head(
    `${measure === "cumulative" ? "Cumulative difference" : "Difference"} of ${target.name}`,
  );
}

/** Draws grid lines, axis labels and the name of the values. */
export const ChartAxes = memo(function ChartAxes({
  scale,
  axis,
  measure,
  target,
  ticks,
}: {
  scale: Scale;
  axis: Pick<ChartAxis, "kind" | "period">;
  measure: Measure;
  target: Shown;
  /** Ticks of the vertical axis. */
  ticks: readonly number[];
}) {
  const { left, right, bottom, x } = scale;
  const places = axisTicks(
    axis.kind,
    x,
    Math.max(2, Math.floor((right - left) / PIXELS_A_TICK)),
    axis.period,
  );
  const tickText = tickFormatter(axis.kind, places, axis.period);
  const valueText = tickFormat(measure, target, ticks);
  return (
    <g fontSize="11" fill="var(--ink-faint)" className="figures">
      <text x="10.5" y="11">
        {measureTitle(measure, target)}
      </text>
      {ticks.map((tick) => {
        const y = Math.round(toY(scale, tick)) + 0.5;
        const strong = tick === 0 && measure !== "value";
        return (
          <g key={tick}>
            <line x1={left} x2={right} y1={y} y2={y} stroke={strong ? "var(--line-strong)" : "var(--line)"} />
            <text x={left - 8} y={y} dy="0.32em" textAnchor="end">
              {valueText(tick)}
            </text>
          </g>
        );
      })}
      <line x1={left} x2={right} y1={bottom + 0.5} y2={bottom + 0.5} stroke="var(--line-strong)" />
      {places.map((place) => {
        const at = toX(scale, place);
        const anchor = at - left < 24 ? "start" : right - at < 24 ? "end" : "middle";
        return (
          <text key={place} x={at} y={bottom + 16} textAnchor={anchor}>
            {tickText(place)}
          </text>
        );
      })}
    </g>
  );
});
