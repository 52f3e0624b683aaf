"use client";

import dynamic from "next/dynamic";
import { memo } from "react";
import { rowLabels } from "#components/chart/axis.ts";
import { PointTable } from "#components/chart/point-table.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { WhenSeen } from "#components/ui/when-seen.tsx";
import type { PreparedWhy } from "./prepare-why.ts";
import { Waterfall } from "./waterfall.tsx";

/** Loads the drawing code separately: it is as large as the rest of the page. */
const WhyChart = dynamic(async () => (await import("./why-chart.tsx")).WhyChart, {
  ssr: false,
  loading: () => <Skeleton className="h-50" />,
});

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
          <WhenSeen className="min-h-50">
            <WhyChart prepared={prepared} label={`Contributions at each point. ${prepared.summary}`} />
          </WhenSeen>
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
