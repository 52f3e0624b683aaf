"use client";

import { memo } from "react";
import { rowLabels } from "#components/chart/axis.ts";
import { PointTable } from "#components/chart/point-table.tsx";
import type { PreparedWhy } from "./prepare-why.ts";
import { Waterfall } from "./waterfall.tsx";
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
