"use client";

import { Bookmark } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SkeletonCard } from "#components/ui/skeleton.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { limits } from "#lib/contract/limits";
import { isRunName } from "#lib/contract/run-names";
import { compareParsers, isComparable, namedOnce } from "./compare-query.ts";
import { ComparedScenarios } from "./compared-scenarios.tsx";
import { ScenarioPicker } from "./scenario-picker.tsx";
import { SelectionIssue } from "./selection-error.tsx";
import { useComparison } from "./use-comparison.ts";

const SavedComparisonsDialog = dynamic(() => import("./saved-comparisons-dialog.tsx"), { ssr: false });

export function Compare({ projectId }: { projectId: string }) {
  // In the URL, so that a copied link shows the same view.
  const [requested, setState] = useQueryStates(compareParsers, { history: "replace" });
  const state = namedOnce(requested);
  // A link from a scenario's page names one, so the next step is to choose others.
  const [picking, setPicking] = useState(state.ids.length === 1);
  const [isSavedOpen, setIsSavedOpen] = useState(false);
  const enabled = isComparable(state);
  const { shown, prepared, ...chart } = useComparison(projectId, state);

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
      {!enabled && <NothingToCompare count={state.ids.length} onPick={() => setPicking(true)} />}
      {enabled && shown.isPending && (
        <div role="status" aria-label="Loading" className="space-y-6">
          <SkeletonCard className="h-[46rem]" />
          <SkeletonCard className="h-40" />
        </div>
      )}
      {enabled && shown.error && !shown.data && (
        <Card>
          <SelectionIssue
            error={shown.error}
            ids={state.ids}
            onChange={choose}
            onReset={() => void setState({ from: null, to: null, baselineId: null })}
            onPick={() => setPicking(true)}
            onRetry={shown.refetch}
          />
        </Card>
      )}
      {enabled && shown.data && prepared && (
        <ComparedScenarios
          projectId={projectId}
          state={state}
          comparison={shown.data}
          prepared={prepared}
          isWaiting={shown.isPlaceholderData}
          {...chart}
          onChange={(change) => void setState(change)}
          onPick={() => setPicking(true)}
        />
      )}
      {isSavedOpen && (
        <SavedComparisonsDialog
          projectId={projectId}
          shown={
            enabled && !state.ids.some(isRunName) ? { ids: state.ids, baselineId: state.baselineId } : null
          }
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
        titles={new Map(shown.data?.scenarios.map(({ id, title }) => [id, title]))}
        onChange={choose}
        open={picking}
        onOpenChange={setPicking}
      />
    </>
  );
}

function NothingToCompare({ count, onPick }: { count: number; onPick(): void }) {
  const tooMany = count > limits.compareMax;
  return (
    <Card>
      <EmptyState
        title={tooMany ? `${count} scenarios are too many` : "Nothing to compare yet"}
        drawing={!tooMany && <ForkDrawing />}
        action={
          <Button look="primary" onClick={onPick}>
            Choose scenarios
          </Button>
        }
      >
        {tooMany
          ? `You can compare at most ${limits.compareMax} scenarios. Remove some from the selection.`
          : "Choose at least two scenarios to compare their predictions."}
      </EmptyState>
    </Card>
  );
}
