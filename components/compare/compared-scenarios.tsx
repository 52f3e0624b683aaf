"use client";

import { describeComparison } from "#components/chart/describe-comparison.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { useCalendar } from "#components/display/displays.tsx";
import { PanelPath } from "#components/panel/panel-path.tsx";
import { usePanelColumns } from "#components/panel/use-panel.ts";
import { LivePredictions } from "#components/scenarios/edit-inputs/live-predictions.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { isRunName } from "#lib/contract/run-names";
import type { Comparison } from "#lib/contract/scenario-series";
import { ChartPanel } from "./chart-panel.tsx";
import { type CompareState, previewPoints } from "./compare-query.ts";
import { ComparedGroups } from "./compared-groups.tsx";
import { Differs } from "./differs.tsx";
import { useTotals } from "./summary-span.ts";
import { SummaryTable } from "./summary-table.tsx";
import type { useComparison } from "./use-comparison.ts";
import { WhyPanel } from "./why-panel.tsx";

type Props = {
  projectId: string;
  state: CompareState;
  comparison: Comparison;
  prepared: PreparedComparison;
  onChange(change: Partial<CompareState>): void;
};

/** Shows the chart, the summary, the differing inputs and the causes of a comparison. */
export function ComparedScenarios({
  isWaiting,
  overview,
  outside,
  finestCount,
  onPick,
  ...props
}: Props &
  Pick<ReturnType<typeof useComparison>, "overview" | "outside" | "finestCount"> & {
    /** Whether points for the shown span are loading. */
    isWaiting: boolean;
    onPick(): void;
  }) {
  const { projectId, state, comparison, prepared, onChange } = props;
  const columns = usePanelColumns(projectId);
  const { totals, span, error } = useTotals(projectId, state, comparison);
  const calendar = useCalendar();
  // Runs are results, whose inputs cannot be edited.
  const editable = comparison.scenarios.filter(({ id }) => !isRunName(id));
  const edited = editable.find(({ id }) => id === comparison.baselineId) ?? editable[0];
  return (
    <div className="space-y-6">
      <PanelPath choice={state} columns={columns} onChange={onChange} />
      <LivePredictions
        projectId={projectId}
        scenarios={editable}
        baselineId={edited?.id ?? ""}
        points={previewPoints(comparison)}
        choice={state}
      >
        {(edited, toggle) => (
          <Card>
            <ChartPanel
              projectId={projectId}
              state={state}
              prepared={prepared}
              overview={overview}
              edited={edited}
              toggle={toggle}
              isWaiting={isWaiting}
              finestCount={finestCount}
              pointCount={comparison.pointCount}
              hasActual={comparison.actual !== null}
              description={describeComparison(totals ?? comparison, comparison, calendar)}
              outside={outside}
              onChange={onChange}
              onPick={onPick}
            />
          </Card>
        )}
      </LivePredictions>
      <ComparedGroups
        projectId={projectId}
        comparison={comparison}
        totalsSpan={span}
        state={state}
        columns={columns}
        onChange={onChange}
      />
      <Summary {...props} totals={totals} error={error} />
      <Card>
        <CardHeader
          title="Differences in inputs"
          description="Inputs and checkpoints that differ from the baseline scenario."
        />
        <Differs comparison={comparison} />
      </Card>
      <WhyPanel
        projectId={projectId}
        comparison={comparison}
        totalsSpan={span}
        state={state}
        onChange={onChange}
      />
    </div>
  );
}

function Summary({
  projectId,
  state,
  comparison,
  prepared,
  totals,
  error,
  onChange,
}: Props & Pick<ReturnType<typeof useTotals>, "totals" | "error">) {
  const calendar = useCalendar();
  return (
    <Card>
      <CardHeader title="Summary" />
      {totals && (
        <>
          <p className="px-5 pb-3 text-[13px] text-ink-soft" aria-live="polite">
            {describeComparison(totals, comparison, calendar)}
          </p>
          <SummaryTable
            projectId={projectId}
            comparison={totals}
            shown={comparison}
            prepared={prepared}
            choice={state}
            onBaseline={(baselineId) => onChange({ baselineId })}
          />
        </>
      )}
      {!totals && !error && <SkeletonRows rows={comparison.series.length} />}
      {error && <ErrorState error={error} />}
    </Card>
  );
}
