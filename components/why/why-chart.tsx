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
import { tickFormat } from "#components/chart/chart-axes.tsx";
import { niceTicks } from "#components/chart/nice-ticks.ts";
import { axisTicks } from "#components/chart/scale.ts";
import type { PreparedWhy } from "./prepare-why.ts";

/** Approximate number of ticks on the time axis. */
const TICKS = 8;
const axisText = { fontSize: 11, fill: "var(--ink-faint)" };

/** Stacks the contributions at each point: positive ones upwards, negative ones downwards. */
export function WhyChart({ prepared, label }: { prepared: PreparedWhy; label: string }) {
  const { kind, xs, domain, steps, scale } = prepared;
  const ticks = axisTicks(kind, domain, TICKS);
  const heights = niceTicks(...stackedExtent(prepared), 4);
  return (
    <figure aria-label={label} className="m-0">
      <p className="text-xs text-ink-faint">Contributions to the difference, {scale.title}</p>
      <ResponsiveContainer width="100%" height={200}>
        <AreaChart
          // The library passes each entry to the axes and areas; the entry is its index in the columns.
          data={[...xs.keys()]}
          stackOffset="sign"
          margin={{ top: 8, right: 16, bottom: 0, left: 0 }}
          accessibilityLayer
        >
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey={(at: number) => xs[at]}
            type="number"
            domain={domain}
            ticks={ticks}
            tickFormatter={tickFormatter(kind, ticks)}
            tick={axisText}
            stroke="var(--line-strong)"
            tickLine={false}
            minTickGap={48}
          />
          <YAxis
            width={64}
            domain={[heights[0] ?? 0, heights.at(-1) ?? 1]}
            ticks={heights}
            tickFormatter={tickFormat("difference", scale, heights)}
            tick={axisText}
            axisLine={false}
            tickLine={false}
          />
          <ReferenceLine y={0} stroke="var(--line-strong)" />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--ink-faint)", strokeDasharray: "3 3" }}
            content={({ active, payload }) => (
              <PointParts active={active} prepared={prepared} at={payload[0]?.payload} />
            )}
          />
          {steps.map(({ id, name, color, values }) => (
            <Area
              key={id}
              // Draws steps, because sloping lines would cross where a contribution changes its sign.
              type="step"
              dataKey={(at: number) => values[at]}
              name={name}
              stackId="parts"
              // A separate line would run along parts of height zero.
              stroke="none"
              fill={color}
              fillOpacity={0.7}
              activeDot={false}
              isAnimationActive={false}
            />
          ))}
        </AreaChart>
      </ResponsiveContainer>
    </figure>
  );
}

/** Returns the extent of the stacked contributions: negative ones downwards, positive ones upwards. */
function stackedExtent({ xs, steps }: PreparedWhy): [low: number, high: number] {
  let [low, high] = [0, 0];
  for (const at of xs.keys()) {
    const parts = steps.map(({ values }) => values[at]!);
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

function PointParts({
  active,
  prepared: { kind, xs, steps, scale },
  at,
}: {
  active: boolean;
  prepared: PreparedWhy;
  at: number | undefined;
}) {
  if (!active || at === undefined) return null;
  return (
    <div className="rounded-md border bg-raised px-3 py-2 text-xs shadow-lift">
      <p className="mb-1.5 font-medium">{pointLabel({ kind, xs }, xs[at]!)}</p>
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
