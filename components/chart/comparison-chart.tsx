"use client";

import { useId, useMemo } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatNumber, formatSigned } from "#components/ui/format";
import { tickFormatter } from "./axis.tsx";
import { ChartTooltip } from "./chart-tooltip.tsx";
import { niceTicks } from "./nice-ticks.tsx";
import { type ChartPoint, extent, type PreparedComparison } from "./prepare-comparison.tsx";
import type { OutsideMark } from "./prepare-outside.tsx";
import { useDragZoom } from "./use-drag-zoom.tsx";

/** Which of a point's numbers is drawn: the values, the differences, or the differences summed up so far. */
export type Measure = "value" | "difference" | "cumulative";
const prefixes = { value: "v", difference: "d", cumulative: "c" } as const;

const axisText = { fontSize: 11, fill: "var(--ink-faint)" };

/** Overlaid lines with a shared crosshair. Draws what `prepareComparison` decided; charts of one page move together. */
export function ComparisonChart({
  prepared,
  measure,
  bands = false,
  height,
  label,
  onZoom,
  withDifferences = true,
  outside = [],
}: {
  prepared: PreparedComparison;
  measure: Measure;
  bands?: boolean;
  height: number;
  label: string;
  /** Without it, dragging selects nothing. */
  onZoom?: (from: number, to: number) => void;
  withDifferences?: boolean;
  /** Stretches that are shaded because inputs are outside of what the model was trained on. */
  outside?: readonly OutsideMark[];
}) {
  const { kind, points, series, domain } = prepared;
  const { selection, handlers } = useDragZoom(onZoom);
  const descriptionId = useId();
  const prefix = prefixes[measure];
  const ticks = useMemo(
    () =>
      niceTicks(...extent(points, series.length, prefix, bands && measure === "value"), height > 200 ? 5 : 3),
    [points, series.length, prefix, bands, measure, height],
  );
  return (
    <figure aria-labelledby={descriptionId} className="m-0 select-none">
      <figcaption id={descriptionId} className="sr-only">
        {label}
      </figcaption>
      <ResponsiveContainer width="100%" height={height}>
        <ComposedChart
          data={points}
          syncId="comparison"
          syncMethod="value"
          margin={{ top: 8, right: 16, bottom: 0, left: 0 }}
          accessibilityLayer
          {...(onZoom && handlers)}
        >
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey="x"
            type="number"
            domain={domain}
            tickFormatter={tickFormatter(kind, ...domain)}
            tick={axisText}
            stroke="var(--line-strong)"
            tickLine={false}
            minTickGap={48}
          />
          <YAxis
            width={64}
            ticks={ticks}
            domain={[ticks[0]!, ticks.at(-1)!]}
            tickFormatter={measure === "value" ? formatNumber : formatSigned}
            tick={axisText}
            axisLine={false}
            tickLine={false}
          />
          {measure !== "value" && <ReferenceLine y={0} stroke="var(--line-strong)" />}
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--ink-faint)", strokeDasharray: "3 3" }}
            content={({ active, payload }) => (
              <ChartTooltip
                active={active}
                point={payload[0]?.payload as ChartPoint | undefined}
                kind={kind}
                series={series}
                withDifferences={withDifferences}
                outside={outside}
              />
            )}
          />
          {outside.map(({ id, from, to }) => (
            <ReferenceArea
              key={`outside-${id}-${from}`}
              x1={from}
              x2={to}
              fill="var(--warn)"
              fillOpacity={0.1}
              stroke="none"
              ifOverflow="hidden"
            />
          ))}
          {bands &&
            measure === "value" &&
            series.map((entry, index) => (
              <Area
                key={`band-${entry.id}`}
                dataKey={`b${index}`}
                stroke="none"
                fill={entry.color}
                fillOpacity={0.13}
                activeDot={false}
                isAnimationActive={false}
              />
            ))}
          {series.map((entry, index) => (
            <Line
              key={entry.id}
              dataKey={`${prefix}${index}`}
              name={entry.title}
              stroke={entry.color}
              strokeWidth={entry.isBaseline ? 2.25 : 1.75}
              strokeDasharray={entry.dash}
              dot={false}
              activeDot={{ r: 3.5 }}
              isAnimationActive={false}
              hide={measure !== "value" && entry.isBaseline}
            />
          ))}
          {selection && (
            <ReferenceArea
              x1={selection[0]}
              x2={selection[1]}
              fill="var(--accent)"
              fillOpacity={0.12}
              stroke="none"
            />
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </figure>
  );
}
