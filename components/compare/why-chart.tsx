"use client";

import {
  Area,
  AreaChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { pointLabel, tickFormatter } from "#components/chart/axis.ts";
import { niceTicks } from "#components/chart/nice-ticks.ts";
import { axisTicks } from "#components/chart/scale.ts";
import { formatSigned } from "#components/ui/format.ts";
import type { PreparedWhy } from "./prepare-why.ts";

/** Places on the axis of time, about. */
const TICKS = 8;
const axisText = { fontSize: 11, fill: "var(--ink-faint)" };

/** The parts at each point, above each other where they raise the prediction and below where they lower it. */
export function WhyChart({ prepared, label }: { prepared: PreparedWhy; label: string }) {
  const { kind, points, steps } = prepared;
  const domain: [number, number] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 1];
  const heights = niceTicks(...stackedExtent(prepared), 4);
  return (
    <figure aria-label={label} className="m-0">
      <ResponsiveContainer width="100%" height={200}>
        <AreaChart
          data={points}
          stackOffset="sign"
          margin={{ top: 8, right: 16, bottom: 0, left: 0 }}
          accessibilityLayer
        >
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey="x"
            type="number"
            domain={domain}
            ticks={axisTicks(kind, domain, TICKS)}
            tickFormatter={tickFormatter(kind, ...domain)}
            tick={axisText}
            stroke="var(--line-strong)"
            tickLine={false}
            minTickGap={48}
          />
          <YAxis
            width={64}
            domain={[heights[0] ?? 0, heights.at(-1) ?? 1]}
            ticks={heights}
            tickFormatter={(value: number) => formatSigned(value)}
            tick={axisText}
            axisLine={false}
            tickLine={false}
          />
          <ReferenceLine y={0} stroke="var(--line-strong)" />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--ink-faint)", strokeDasharray: "3 3" }}
            content={({ active, payload }) => (
              <PointParts
                active={active}
                prepared={prepared}
                point={payload[0]?.payload as Point | undefined}
              />
            )}
          />
          {steps.map(({ id, name, color }, index) => (
            <Area
              key={id}
              // Blocks: sloping lines would cross where a part changes its sign and with it its side.
              type="step"
              dataKey={`p${index}`}
              name={name}
              stackId="parts"
              stroke={color}
              strokeWidth={1}
              fill={color}
              fillOpacity={0.55}
              activeDot={false}
              isAnimationActive={false}
            />
          ))}
        </AreaChart>
      </ResponsiveContainer>
    </figure>
  );
}

/** How far the parts reach when they are laid on each other: those below 0 downwards, the others upwards. */
function stackedExtent({ points, steps }: PreparedWhy): [low: number, high: number] {
  let [low, high] = [0, 0];
  for (const point of points) {
    const parts = steps.map((_, index) => point[`p${index}`] ?? 0);
    low = Math.min(
      low,
      parts.reduce((sum, part) => sum + Math.min(0, part), 0),
    );
    high = Math.max(
      high,
      parts.reduce((sum, part) => sum + Math.max(0, part), 0),
    );
  }
  return [low, high];
}

type Point = PreparedWhy["points"][number];

function PointParts({
  active,
  prepared,
  point,
}: {
  active: boolean;
  prepared: PreparedWhy;
  point: Point | undefined;
}) {
  if (!active || !point) return null;
  return (
    <div className="rounded-md border bg-raised px-3 py-2 text-xs shadow-lift">
      <p className="mb-1.5 font-medium">{pointLabel(prepared.kind, point.x)}</p>
      <ul className="figures space-y-0.5">
        {prepared.steps.map(({ id, name, color }, index) => (
          <li key={id} className="flex items-center gap-2">
            <span className="size-2.5 shrink-0 rounded-sm" style={{ backgroundColor: color }} />
            <span className="max-w-44 flex-1 truncate">{name}</span>
            <span className="font-medium">{formatSigned(point[`p${index}`])}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
