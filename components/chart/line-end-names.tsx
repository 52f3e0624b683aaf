import type { LineEnd } from "./line-ends.ts";

/** Writes the names of lines at their ends, with an edge in the colour of the page so that they stay readable on lines. A colour of lines alone would be too faint for text. */
export function LineEndNames({
  ends,
  width,
  height,
}: {
  ends: readonly LineEnd[];
  width: number;
  height: number;
}) {
  if (ends.length === 0) return null;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="pointer-events-none absolute inset-0"
      aria-hidden="true"
      data-line-ends={ends.length}
    >
      {ends.map(({ id, text, color, x, y }) => (
        <text
          key={id}
          x={x - 4}
          y={y}
          textAnchor="end"
          fontSize="11"
          fontWeight="600"
          fill={`color-mix(in oklab, ${color} 60%, var(--ink))`}
          stroke="var(--surface)"
          strokeWidth="4"
          strokeLinejoin="round"
          paintOrder="stroke"
        >
          {text}
        </text>
      ))}
    </svg>
  );
}
