"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Select } from "#components/ui/input.tsx";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { Skeleton, SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { WhenSeen } from "#components/ui/when-seen.tsx";
import type { Comparison } from "#lib/contract/scenario-series";
import { type CompareState, differenceQuery } from "./compare-query.ts";
import { type PreparedWhy, pointRow, prepareWhy } from "./prepare-why.ts";
import { Waterfall } from "./waterfall.tsx";

/** Scenarios with more rows are split only when somebody asks: it takes the service some seconds. */
const ROWS_AT_ONCE = 5_000;
const chartPoints = 300;

/** What draws it is as much again as the rest of the page, which need not wait for it. */
const WhyChart = dynamic(async () => (await import("./why-chart.tsx")).WhyChart, {
  ssr: false,
  loading: () => <Skeleton className="h-50" />,
});

/** Why one of the scenarios differs from the baseline: by input, checkpoint and other projects' predictions. */
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
  const { baselineId, scenarios } = comparison;
  const others = scenarios.filter(({ id }) => id !== baselineId);
  const baseline = scenarios.find(({ id }) => id === baselineId);
  const chosen = others.find(({ id }) => id === state.why) ?? others[0];
  const asked = chosen !== undefined && (chosen.id === state.why || chosen.rowCount <= ROWS_AT_ONCE);
  const difference = useQuery({
    ...queries.difference(projectId, chosen?.id ?? "", differenceQuery(state, baselineId, chartPoints)),
    enabled: asked,
  });
  const { data } = difference;
  // While another pair is split, what is still there is of the pair before.
  const current = data?.scenarioId === chosen?.id && data?.baselineId === baselineId ? data : undefined;
  const prepared = useMemo(
    () =>
      current && baseline && chosen
        ? prepareWhy(current, {
            baseline: baseline.title,
            scenario: chosen.title,
            checkpoints: `${baseline.checkpointLabel ?? "–"} → ${chosen.checkpointLabel ?? "–"}`,
          })
        : null,
    [current, baseline, chosen],
  );
  if (!chosen || !baseline) return null;
  return (
    <Card>
      <CardHeader
        title="Why they differ"
        description={`The difference from ${baseline.title} over the shown span, split into what is different between the two.`}
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
        {!asked && (
          <Button size="sm" onClick={() => onChange({ why: chosen.id })}>
            Split the difference of {chosen.title}
          </Button>
        )}
        {asked && !current && !difference.error && <SkeletonRows rows={4} />}
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
            <WhyChart prepared={prepared} label={`The parts at each point. ${prepared.summary}`} />
          </WhenSeen>
          <details className="text-[13px]">
            <summary className="rounded-sm text-ink-soft">The parts at each point as a table</summary>
            <PointTable prepared={prepared} />
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

function PointTable({ prepared }: { prepared: PreparedWhy }) {
  return (
    <ScrollArea label="Parts at each point" className="mt-2 max-h-80 rounded-md border">
      <Table>
        <thead className="sticky top-0 bg-surface">
          <tr>
            <Th>{prepared.kind === "time" ? "Time (UTC)" : "Row"}</Th>
            {prepared.steps.map(({ id, name }) => (
              <Th key={id} className="text-right">
                {name}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          {prepared.points.map((point) => {
            const [label, ...values] = pointRow(prepared, point);
            return (
              <tr key={point.x}>
                <Td className="whitespace-nowrap text-ink-soft">{label}</Td>
                {prepared.steps.map(({ id }, index) => (
                  <Td key={id} className="text-right">
                    {values[index]}
                  </Td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </Table>
    </ScrollArea>
  );
}
