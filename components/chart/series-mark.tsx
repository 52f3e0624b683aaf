import { markerPath } from "./series-style.ts";

/** Draws a short sample of the series' line, as in the chart. */
export function SeriesMark({ color, dash, marker = -1 }: { color: string; dash: string; marker?: number }) {
  return (
    <svg viewBox="0 0 22 8" className="h-2 w-5.5 shrink-0 overflow-visible" aria-hidden="true">
      <line
        x1="1"
        y1="4"
        x2="21"
        y2="4"
        stroke={color}
        strokeWidth="2.5"
        strokeDasharray={dash}
        strokeLinecap="round"
      />
      {marker >= 0 && <path d={markerPath(marker, 11, 4, 3.5)} fill={color} stroke="var(--surface)" />}
    </svg>
  );
}
