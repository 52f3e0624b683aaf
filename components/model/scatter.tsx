"use client";

import {
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { formatNumber, formatSigned } from "#components/ui/format.ts";
import { palette } from "#components/ui/palette.ts";
import type { ScatterPoint } from "./prepare-validation.ts";

const axisText = { fontSize: 11, fill: "var(--ink-faint)" };

function PointCard({ point }: { point: ScatterPoint | undefined }) {
  if (!point) return null;
  return (
    <p className="figures rounded-md border bg-raised px-3 py-2 text-xs shadow-lift">
      actual {formatNumber(point.actual)} · predicted {formatNumber(point.predicted)} ·{" "}
      {formatSigned(point.predicted - point.actual)}
    </p>
  );
}

/** Predicted over actual. On the diagonal the prediction is right. */
export function ValidationScatter({
  points,
  ticks,
  label,
}: {
  points: ScatterPoint[];
  /** Of both axes; the first and the last are their ends. */
  ticks: number[];
  label: string;
}) {
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  return (
    <figure aria-label={label} className="m-0">
      <ResponsiveContainer width="100%" height={340}>
        <ScatterChart margin={{ top: 8, right: 16, bottom: 20, left: 8 }}>
          <CartesianGrid stroke="var(--line)" />
          <XAxis
            type="number"
            dataKey="actual"
            domain={[low, high]}
            ticks={ticks}
            tickFormatter={formatNumber}
            tick={axisText}
            stroke="var(--line-strong)"
            tickLine={false}
            label={{ value: "Actual", position: "insideBottom", offset: -10, ...axisText }}
          />
          <YAxis
            type="number"
            dataKey="predicted"
            domain={[low, high]}
            ticks={ticks}
            width={72}
            tickFormatter={formatNumber}
            tick={axisText}
            axisLine={false}
            tickLine={false}
            label={{ value: "Predicted", angle: -90, position: "insideLeft", ...axisText }}
          />
          <ReferenceLine
            segment={[
              { x: low, y: low },
              { x: high, y: high },
            ]}
            stroke="var(--ink-faint)"
            strokeDasharray="4 4"
          />
          <Tooltip
            isAnimationActive={false}
            content={({ payload }) => <PointCard point={payload[0]?.payload as ScatterPoint | undefined} />}
          />
          <Scatter
            data={points}
            fill={palette[0] ?? "var(--accent)"}
            fillOpacity={0.5}
            isAnimationActive={false}
          />
        </ScatterChart>
      </ResponsiveContainer>
    </figure>
  );
}
