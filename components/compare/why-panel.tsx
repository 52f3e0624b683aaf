"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { rowLabels } from "#components/chart/axis.ts";
import { PointTable } from "#components/chart/point-table.tsx";
import { useDisplays, useTarget } from "#components/display/displays.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Select } from "#components/ui/input.tsx";
import { Skeleton, SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { WhenSeen } from "#components/ui/when-seen.tsx";
import type { Comparison } from "#lib/contract/scenario-series";
import { type CompareState, differenceQuery, isSplitAtOnce } from "./compare-query.ts";
import { type PreparedWhy, prepareWhy } from "./prepare-why.ts";
import { Waterfall } from "./waterfall.tsx";

const chartPoints = 300;

/** Loads the drawing code separately: it is as large as the rest of the page. */
const WhyChart = dynamic(async () => (await import("./why-chart.tsx")).WhyChart, {
  ssr: false,
  loading: () => <Skeleton className="h-50" />,
});

/** Explains the difference between a scenario and the baseline, by input, checkpoint and upstream predictions. */
export function WhyPanel({
  projectId,
  comparison,
  state,
  onChange,
}: {
  projectId: string;
  comparison: Comparison;
  state: CompareState;
  onChange(change: Partial<CompareState>): void;
}) {
  const target = useTarget();
  const displays = useDisplays();
  const { baselineId, scenarios } = comparison;
  const others = scenarios.filter(({ id }) => id !== baselineId);
  const baseline = scenarios.find(({ id }) => id === baselineId);
  const chosen = others.find(({ id }) => id === state.why) ?? others[0];
  const isRequested = chosen !== undefined && isSplitAtOnce(state, chosen.id, chosen.rowCount);
  // A zoomed span extends to whole buckets, here as in the totals.
  const span = (state.from ?? state.to) !== null && comparison.buckets ? comparison.buckets : state;
  const difference = useQuery({
    ...queries.difference(projectId, chosen?.id ?? "", differenceQuery(span, baselineId, chartPoints)),
    enabled: isRequested,
  });
  const { data } = difference;
  // While another pair loads, the data still belongs to the previous pair.
  const current = data?.scenarioId === chosen?.id && data?.baselineId === baselineId ? data : undefined;
  const prepared = useMemo(
    () =>
      current && baseline && chosen
        ? prepareWhy(
            current,
            {
              baseline: baseline.title,
              scenario: chosen.title,
              checkpoints: `${baseline.checkpointLabel ?? "–"} → ${chosen.checkpointLabel ?? "–"}`,
            },
            { target, displays },
          )
        : null,
    [current, baseline, chosen, target, displays],
  );
  if (!chosen || !baseline) return null;
  return (
    <Card>
      <CardHeader
        title="Why they differ"
        description={`Contribution of each input and checkpoint to the difference from ${baseline.title} over the shown span.`}
        actions={
          others.length > 1 && (
            <Select
              aria-label="Scenario to explain"
              className="!w-auto max-w-full sm:max-w-80"
              value={chosen.id}
              onChange={(event) => onChange({ why: event.target.value })}
            >
              {others.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </Select>
          )
        }
      />
      <div className="px-5 pb-5">
        {!isRequested && (
          <Button size="sm" onClick={() => onChange({ why: chosen.id })}>
            Explain the difference of {chosen.title}
          </Button>
        )}
        {isRequested && !current && !difference.error && <SkeletonRows rows={4} />}
        {difference.error && <ErrorState error={difference.error} onRetry={difference.refetch} />}
        {prepared && <WhyParts prepared={prepared} />}
      </div>
    </Card>
  );
}

function WhyParts({ prepared }: { prepared: PreparedWhy }) {
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
              columns={prepared.steps.map(({ id, name: title, values }) => ({
                id,
                title,
                cell: (at) => prepared.scale.signed(values[at]),
              }))}
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
}
