"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";

/** Draws a scenario's predictions as a small line for a table row. */
export function Sparkline({
  projectId,
  scenarioId,
  color,
}: {
  projectId: string;
  scenarioId: string;
  color: string;
}) {
  const { data } = useQuery(queries.predictionChart(projectId, scenarioId, "maxPoints=60"));
  if (!data) return <span className="block h-6 w-24" />;
  const present = data.values.filter((value): value is number => value !== null);
  const low = Math.min(...present);
  const span = Math.max(...present) - low || 1;
  const step = 96 / Math.max(1, data.values.length - 1);
  const points = data.values
    .map((value, index) =>
      value === null ? null : `${(index * step).toFixed(1)},${(22 - ((value - low) / span) * 20).toFixed(1)}`,
    )
    .filter((point) => point !== null)
    .join(" ");
  return (
    <svg viewBox="0 0 96 24" className="h-6 w-24" aria-hidden="true">
      {present.length === 1 && <circle cx="48" cy="12" r="2" fill={color} />}
      <polyline points={points} fill="none" stroke={color} strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  );
}
