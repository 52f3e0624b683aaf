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
import { useTarget } from "#components/display/displays.tsx";
import { formatNumber, formatSigned } from "#components/ui/format.ts";
import { palette } from "#components/ui/palette.ts";
import type { ScatterPairs } from "./prepare-validation.ts";

const axisText = { fontSize: 11, fill: "var(--ink-faint)" };

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
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  return (
    <figure aria-label={label} className="m-0">
      <ResponsiveContainer width="100%" height={340}>
        <ScatterChart margin={{ top: 8, right: 16, bottom: 20, left: 8 }}>
          <CartesianGrid stroke="var(--line)" />
          <XAxis
            type="number"
            dataKey={(at: number) => actual[at]}
            domain={[low, high]}
            ticks={ticks}
            tickFormatter={formatNumber}
            tick={axisText}
            stroke="var(--line-strong)"
            tickLine={false}
            label={{ value: target.head("Actual"), position: "insideBottom", offset: -10, ...axisText }}
          />
          <YAxis
            type="number"
            dataKey={(at: number) => predicted[at]}
            domain={[low, high]}
            ticks={ticks}
            width={72}
            tickFormatter={formatNumber}
            tick={axisText}
            axisLine={false}
            tickLine={false}
            label={{ value: target.head("Predicted"), angle: -90, position: "insideLeft", ...axisText }}
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
            content={({ payload }) => <PairCard {...{ actual, predicted }} at={payload[0]?.payload} />}
          />
          <Scatter
            // The library passes each entry to the axes; the entry is its index in the columns.
            data={[...actual.keys()]}
            fill={palette[0] ?? "var(--accent)"}
            fillOpacity={0.5}
            isAnimationActive={false}
          />
        </ScatterChart>
      </ResponsiveContainer>
    </figure>
  );
}

function PairCard({ actual, predicted, at }: ScatterPairs & { at: number | undefined }) {
  if (at === undefined) return null;
  const [was, guess] = [actual[at]!, predicted[at]!];
  return (
    <p className="figures rounded-md border bg-raised px-3 py-2 text-xs shadow-lift">
      actual {formatNumber(was)} · predicted {formatNumber(guess)} · {formatSigned(guess - was)}
    </p>
  );
}
