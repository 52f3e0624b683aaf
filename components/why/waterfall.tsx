import { formatSigned } from "#components/ui/format.ts";
import type { PreparedWhy } from "./prepare-why.ts";

/**
 * Draws the steps from the baseline's total to the scenario's total; each step starts at the end of the previous one.
 */
export function Waterfall({ prepared }: { prepared: PreparedWhy }) {
  const { steps, total, span, scale } = prepared;
  const width = span[1] - span[0] || 1;
  const format = scale.formatOf([...steps.map(({ value }) => value), total]);
  const place = (value: number) => ((value - span[0]) / width) * 100;
  const bars = [
    ...steps,
    {
      id: "total",
      name: scale.head("Total difference"),
      note: null,
      color: "var(--ink-soft)",
      value: total,
      from: 0,
      to: total,
    },
  ];
  return (
    <dl className="text-[13px]">
      {bars.map(({ id, name, note, color, value, from, to }) => (
        <div
          key={id}
          className="grid grid-cols-[minmax(6rem,12rem)_1fr_5.5rem] items-center gap-3 py-1 last:mt-1 last:border-t last:pt-2 last:font-medium"
        >
          <dt className="min-w-0">
            <span className="block truncate" title={name}>
              {name}
            </span>
            {note && <span className="block text-xs text-ink-faint">{note}</span>}
          </dt>
          <dd className="relative h-4" aria-hidden="true">
            <span className="absolute inset-y-0 w-px bg-line-strong" style={{ left: `${place(0)}%` }} />
            <span
              className="absolute inset-y-0.5 rounded-sm"
              style={{
                left: `${place(Math.min(from, to))}%`,
                width: `${Math.max(place(Math.max(from, to)) - place(Math.min(from, to)), 0.3)}%`,
                backgroundColor: color,
              }}
            />
          </dd>
          <dd className="figures text-right">{formatSigned(value, format)}</dd>
        </div>
      ))}
    </dl>
  );
}
