"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries";
import { boundOf } from "#components/chart/axis";
import { ComparisonChart } from "#components/chart/comparison-chart";
import { describeComparison, prepareComparison } from "#components/chart/prepare-comparison";
import { RangeBrush } from "#components/chart/range-brush";
import { PageHeader } from "#components/layout/page-header";
import { ForkDrawing } from "#components/projects/fork-drawing";
import { useOutside } from "#components/scenarios/use-outside";
import { Button } from "#components/ui/button";
import { Card, CardHeader } from "#components/ui/card";
import { Skeleton } from "#components/ui/skeleton";
import { EmptyState, ErrorState } from "#components/ui/states";
import { limits } from "#lib/contract/limits";
import type { Comparison } from "#lib/contract/scenario-series";
import { compareQuery, useCompareState } from "./compare-state.tsx";
import { CompareToolbar } from "./compare-toolbar.tsx";
import { Differs } from "./differs.tsx";
import { ScenarioPicker } from "./scenario-picker.tsx";
import { SummaryTable } from "./summary-table.tsx";
import { ValueTable } from "./value-table.tsx";
import { WhyPanel } from "./why-panel.tsx";

/** As many points as a wide chart has pixels to show them; zooming asks for finer ones. */
const chartPoints = 1_000;
const overviewPoints = 300;
const none: Comparison["scenarios"] = [];

export function Compare({ projectId }: { projectId: string }) {
  const [state, setState] = useCompareState();
  const [picking, setPicking] = useState(false);
  const enabled = state.ids.length >= limits.compareMin;
  const comparison = useQuery({ ...queries.compare(projectId, compareQuery(state, chartPoints)), enabled });
  const overview = useQuery({
    ...queries.compare(projectId, compareQuery(state, overviewPoints, true)),
    enabled,
  });
  const prepared = useMemo(() => comparison.data && prepareComparison(comparison.data), [comparison.data]);
  const preparedOverview = useMemo(() => overview.data && prepareComparison(overview.data), [overview.data]);

  const outside = useOutside(projectId, comparison.data?.scenarios ?? none, prepared);

  const zoom = (from: number, to: number) => {
    if (!prepared) return;
    void setState({ from: boundOf(prepared.kind, from), to: boundOf(prepared.kind, to) });
  };

  return (
    <>
      <PageHeader
        title="Compare"
        description="Drag across the chart to zoom. The address holds everything you see."
      />
      {!enabled && (
        <Card>
          <EmptyState
            title="Nothing to compare yet"
            drawing={<ForkDrawing />}
            action={
              <Button look="primary" onClick={() => setPicking(true)}>
                Choose scenarios
              </Button>
            }
          >
            Choose at least two scenarios to lay their predictions over each other.
          </EmptyState>
        </Card>
      )}
      {enabled && comparison.isPending && (
        <div role="status" aria-label="Loading" className="space-y-6">
          <Skeleton className="h-120" />
          <Skeleton className="h-40" />
        </div>
      )}
      {enabled && comparison.error && !comparison.data && (
        <Card>
          <ErrorState error={comparison.error} onRetry={comparison.refetch} />
        </Card>
      )}
      {enabled && comparison.data && prepared && (
        <div className="space-y-6">
          <Card>
            <CompareToolbar
              state={state}
              hasBands={prepared.hasBands}
              onChange={(change) => void setState(change)}
              onPick={() => setPicking(true)}
            />
            {state.view === "table" ? (
              <ValueTable prepared={prepared} />
            ) : (
              <div className="px-2 pt-4 pb-2">
                <ComparisonChart
                  prepared={prepared}
                  measure={state.view}
                  bands={state.bands}
                  height={380}
                  label={describeComparison(comparison.data)}
                  onZoom={zoom}
                  outside={outside.marks}
                />
                {outside.text && <p className="mt-2 pl-16 text-xs text-warn">{outside.text}</p>}
                {state.view === "value" && (
                  <>
                    <p className="mt-2 pl-16 text-xs text-ink-faint">Difference from the baseline</p>
                    <ComparisonChart
                      prepared={prepared}
                      measure="difference"
                      height={130}
                      label="Differences from the baseline at each point"
                      onZoom={zoom}
                    />
                  </>
                )}
                {preparedOverview && (
                  <div className="mt-3">
                    <RangeBrush
                      overview={preparedOverview}
                      from={prepared.domain[0]}
                      to={prepared.domain[1]}
                      onChange={zoom}
                    />
                  </div>
                )}
              </div>
            )}
          </Card>
          <Card>
            <CardHeader title="Summary" description="Differences are totals over the shown span." />
            <SummaryTable
              projectId={projectId}
              comparison={comparison.data}
              prepared={prepared}
              onBaseline={(baselineId) => void setState({ baselineId })}
            />
            <p className="px-5 py-3 text-[13px] text-ink-soft" aria-live="polite">
              {describeComparison(comparison.data)}
            </p>
          </Card>
          <Card>
            <CardHeader
              title="What differs"
              description="What went into the scenarios, against the baseline."
            />
            <Differs comparison={comparison.data} />
          </Card>
          <WhyPanel
            projectId={projectId}
            comparison={comparison.data}
            state={state}
            onChange={(change) => void setState(change)}
          />
        </div>
      )}
      <ScenarioPicker
        projectId={projectId}
        selected={state.ids}
        onChange={(ids) =>
          void setState({
            ids,
            baselineId: state.baselineId && ids.includes(state.baselineId) ? state.baselineId : null,
          })
        }
        open={picking}
        onOpenChange={setPicking}
      />
    </>
  );
}
