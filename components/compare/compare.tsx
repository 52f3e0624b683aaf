"use client";

import { useQuery } from "@tanstack/react-query";
import { Bookmark } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { describeComparison } from "#components/chart/describe-comparison.ts";
import { prepareComparison } from "#components/chart/prepare-comparison.ts";
import { useCalendar } from "#components/display/displays.tsx";
import { LivePredictions } from "#components/scenarios/edit-inputs/live-predictions.tsx";
import { useOutside } from "#components/scenarios/use-outside.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SkeletonCard, SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { limits } from "#lib/contract/limits";
import type { Comparison } from "#lib/contract/scenario-series";
import { ChartPanel } from "./chart-panel.tsx";
import { chartQuery, compareParsers, isComparable, namedOnce, previewPoints } from "./compare-query.ts";
import { Differs } from "./differs.tsx";
import { ScenarioPicker } from "./scenario-picker.tsx";
import { SelectionIssue } from "./selection-error.tsx";
import { useTotals } from "./summary-span.ts";
import { SummaryTable } from "./summary-table.tsx";
import { WhyPanel } from "./why-panel.tsx";

const SavedComparisonsDialog = dynamic(() => import("./saved-comparisons-dialog.tsx"), { ssr: false });

const none: Comparison["scenarios"] = [];

export function Compare({ projectId }: { projectId: string }) {
  // In the URL, so that a copied link shows the same view.
  const [requested, setState] = useQueryStates(compareParsers, { history: "replace" });
  const state = namedOnce(requested);
  const [picking, setPicking] = useState(false);
  const [isSavedOpen, setIsSavedOpen] = useState(false);
  const tooMany = state.ids.length > limits.compareMax;
  const enabled = isComparable(state);
  const comparison = useQuery({ ...queries.compare(projectId, chartQuery(state)), enabled });
  // Without zoom, this is the same response object.
  const overview = useQuery({
    ...queries.compare(projectId, chartQuery({ ...state, from: null, to: null })),
    enabled,
  });
  const calendar = useCalendar();
  const prepared = useMemo(
    () => comparison.data && prepareComparison(comparison.data, state.actuals, calendar),
    [comparison.data, state.actuals, calendar],
  );
  const isWhole = overview.data === comparison.data;
  const overviewAlone = useMemo(
    () => (isWhole || !overview.data ? undefined : prepareComparison(overview.data, state.actuals, calendar)),
    [isWhole, overview.data, state.actuals, calendar],
  );

  const { totals, span, error: totalsError } = useTotals(projectId, state, comparison.data);
  const isExplicit = state.bucket !== "auto" && state.bucket !== "rows";

  const scenarios = comparison.data?.scenarios ?? none;
  const extrapolations = useQuery({
    ...queries.extrapolations(
      projectId,
      scenarios.map(({ id }) => id),
    ),
    enabled: scenarios.length > 0,
  }).data;
  const known = useMemo(
    () => new Map(extrapolations?.scenarios.map((one) => [one.scenarioId, one])),
    [extrapolations],
  );
  const outside = useOutside(scenarios, known, prepared);

  /** @param base the baseline to use if the present one is not selected any more */
  const choose = (ids: string[], base: string | null = null) => {
    const baselineId = state.baselineId && ids.includes(state.baselineId) ? state.baselineId : base;
    void setState({ ids, baselineId });
  };

  return (
    <>
      <PageHeader
        title="Compare"
        description="Drag to zoom, Shift-drag to pan, or use the wheel and the keys + − 0. The page URL keeps the view."
        actions={
          <Button onClick={() => setIsSavedOpen(true)}>
            <Bookmark className="size-4" /> Saved comparisons
          </Button>
        }
      />
      {!enabled && (
        <Card>
          <EmptyState
            title={tooMany ? `${state.ids.length} scenarios are too many` : "Nothing to compare yet"}
            drawing={!tooMany && <ForkDrawing />}
            action={
              <Button look="primary" onClick={() => setPicking(true)}>
                Choose scenarios
              </Button>
            }
          >
            {tooMany
              ? `You can compare at most ${limits.compareMax} scenarios. Remove some from the selection.`
              : "Choose at least two scenarios to compare their predictions."}
          </EmptyState>
        </Card>
      )}
      {enabled && comparison.isPending && (
        <div role="status" aria-label="Loading" className="space-y-6">
          <SkeletonCard className="h-[46rem]" />
          <SkeletonCard className="h-40" />
        </div>
      )}
      {enabled && comparison.error && !comparison.data && (
        <Card>
          <SelectionIssue
            error={comparison.error}
            ids={state.ids}
            onChange={choose}
            onReset={() => void setState({ from: null, to: null, baselineId: null })}
            onPick={() => setPicking(true)}
            onRetry={comparison.refetch}
          />
        </Card>
      )}
      {enabled && comparison.data && prepared && (
        <div className="space-y-6">
          <LivePredictions
            projectId={projectId}
            scenarios={comparison.data.scenarios}
            baselineId={comparison.data.baselineId}
            points={previewPoints(comparison.data)}
          >
            {(edited, toggle) => (
              <Card>
                <ChartPanel
                  projectId={projectId}
                  state={state}
                  prepared={prepared}
                  overview={isWhole ? prepared : overviewAlone}
                  edited={edited}
                  toggle={toggle}
                  isWaiting={comparison.isPlaceholderData}
                  finestCount={
                    isExplicit && overview.data
                      ? overview.data.pointCount
                      : Math.max(...comparison.data.scenarios.map(({ rowCount }) => rowCount))
                  }
                  pointCount={comparison.data.pointCount}
                  hasActual={comparison.data.actual !== null}
                  description={describeComparison(totals ?? comparison.data, comparison.data, calendar)}
                  outside={outside}
                  onChange={(change) => void setState(change)}
                  onPick={() => setPicking(true)}
                />
              </Card>
            )}
          </LivePredictions>
          <Card>
            <CardHeader title="Summary" />
            {totals && (
              <>
                <p className="px-5 pb-3 text-[13px] text-ink-soft" aria-live="polite">
                  {describeComparison(totals, comparison.data, calendar)}
                </p>
                <SummaryTable
                  projectId={projectId}
                  comparison={totals}
                  shown={comparison.data}
                  prepared={prepared}
                  choice={state}
                  onBaseline={(baselineId) => void setState({ baselineId })}
                />
              </>
            )}
            {!totals && !totalsError && <SkeletonRows rows={comparison.data.series.length} />}
            {totalsError && <ErrorState error={totalsError} />}
          </Card>
          <Card>
            <CardHeader
              title="Differences in inputs"
              description="Inputs and checkpoints that differ from the baseline scenario."
            />
            <Differs comparison={comparison.data} />
          </Card>
          <WhyPanel
            projectId={projectId}
            comparison={comparison.data}
            totalsSpan={span}
            state={state}
            onChange={(change) => void setState(change)}
          />
        </div>
      )}
      {isSavedOpen && (
        <SavedComparisonsDialog
          projectId={projectId}
          shown={enabled ? { ids: state.ids, baselineId: state.baselineId } : null}
          onOpen={(ids) => {
            void setState({ ids, baselineId: ids[0] ?? null, from: null, to: null, hidden: [], why: null });
            setIsSavedOpen(false);
          }}
          onClose={() => setIsSavedOpen(false)}
        />
      )}
      <ScenarioPicker
        projectId={projectId}
        selected={state.ids}
        onChange={choose}
        open={picking}
        onOpenChange={setPicking}
      />
    </>
  );
}
