"use client";

import { Brush, Line, LineChart, ResponsiveContainer, XAxis } from "recharts";
import { tickFormatter } from "./axis.tsx";
import type { PreparedComparison } from "./prepare-comparison.tsx";

const height = 44;

/** The whole length in small, with the shown span between two handles that can be dragged or moved by keys. */
export function RangeBrush({
  overview,
  from,
  to,
  onChange,
}: {
  overview: PreparedComparison;
  from: number;
  to: number;
  onChange(from: number, to: number): void;
}) {
  const { points, series, kind, domain } = overview;
  if (points.length < 2) return null;
  const start = points.findLastIndex((point) => point.x <= from);
  const end = points.findIndex((point) => point.x >= to);
  const startIndex = Math.max(0, start);
  const endIndex = end === -1 ? points.length - 1 : end;
  return (
    <ResponsiveContainer width="100%" height={height}>
      <LineChart data={points} margin={{ top: 0, right: 16, bottom: 0, left: 64 }}>
        <XAxis dataKey="x" type="number" domain={domain} hide />
        <Brush
          // A new span from elsewhere (the URL, a drag in the chart) sets the handles anew.
          key={`${startIndex}-${endIndex}`}
          dataKey="x"
          height={height - 4}
          travellerWidth={8}
          startIndex={startIndex}
          endIndex={endIndex}
          stroke="var(--line-strong)"
          fill="var(--sunken)"
          tickFormatter={tickFormatter(kind, ...domain)}
          ariaLabel="Shown span"
          onDragEnd={(range) => {
            const first = points[range.startIndex ?? 0];
            const last = points[range.endIndex ?? points.length - 1];
            if (first && last && last.x > first.x) onChange(first.x, last.x);
          }}
        >
          <LineChart>
            {series.map((entry, index) => (
              <Line
                key={entry.id}
                dataKey={`v${index}`}
                stroke={entry.color}
                dot={false}
                isAnimationActive={false}
              />
            ))}
          </LineChart>
        </Brush>
      </LineChart>
    </ResponsiveContainer>
  );
}
