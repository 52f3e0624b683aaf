"use client";

import { memo } from "react";
import { rowLabels } from "#components/chart/axis.ts";
import { PointTable } from "#components/chart/point-table.tsx";
import { formatSigned } from "#components/ui/format.ts";
import type { PreparedWhy } from "./prepare-why.ts";
import { WhyChart } from "./why-chart.tsx";

/** Shows the parts of a difference: in words, in total, and at each point. Renders again only if `prepared` changes. */
export const WhyParts = memo(function WhyParts({ prepared }: { prepared: PreparedWhy }) {
  return (
    <div className="space-y-4">
      <p className="text-[13px] text-ink-soft" aria-live="polite">
        {prepared.summary}
      </p>
      {prepared.hasParts && (
        <>
          <Waterfall prepared={prepared} />
          <WhyChart prepared={prepared} label={`Contributions at each point. ${prepared.summary}`} />
          <details className="text-[13px]">
            <summary className="rounded-sm text-ink-soft">Contributions at each point as a table</summary>
            <PointTable
              label="Contributions at each point"
              className="mt-2 max-h-80 rounded-md border"
              axis={prepared}
              labelOf={rowLabels(prepared)}
              columns={prepared.steps.map(({ name, values }) => [
                name,
                (at) => prepared.scale.signed(values[at]),
              ])}
            />
          </details>
        </>
      )}
      {prepared.remarks.map((remark) => (
        <p key={remark} className="text-xs text-ink-faint">
          {remark}
        </p>
      ))}
    </div>
  );
});

/**
 * Draws the steps from the baseline's total to the scenario's total; each step starts at the end of the previous one.
 */
function Waterfall({ prepared }: { prepared: PreparedWhy }) {
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
