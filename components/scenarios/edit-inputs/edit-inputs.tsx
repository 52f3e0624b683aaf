"use client";

import { useQuery } from "@tanstack/react-query";
import { Redo2, Undo2, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { useChangeableInputs } from "#components/scenarios/changeable-inputs.ts";
import { byEffect } from "#components/scenarios/choices.ts";
import { NoInputsNote } from "#components/scenarios/no-inputs-note.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Select } from "#components/ui/input.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { EditFields, type EditState } from "./edit-fields.tsx";
import type { Recipe } from "./edits.ts";
import { type History, redo, undo } from "./history.ts";

/** Panel that changes the inputs of a scenario. */
export function EditInputs({
  projectId,
  scenarioId,
  scenarios,
  onScenario,
  onClose,
  ...edit
}: EditState & {
  projectId: string;
  scenarioId: string;
  /** Scenarios that can be edited. */
  scenarios: readonly { id: string; title: string }[];
  onScenario(id: string): void;
  onClose(): void;
}) {
  const { history, onHistory } = edit;
  const maySave = useMay()("createScenario");
  const panel = useRef<HTMLDivElement>(null);
  const scenario = useQuery(queries.scenario(projectId, scenarioId));
  const checkpoint = useQuery(queries.checkpoint(projectId, scenario.data?.checkpointId ?? null));
  const { inputs } = useChangeableInputs(projectId, scenario.data?.checkpointId ?? null);
  // A checkpoint from elsewhere has no model here, and a deleted model no importance: the order is then the model's.
  const model = useQuery({ ...queries.model(projectId, checkpoint.data?.modelId ?? null), retry: false });
  const isOrdered = checkpoint.data && !model.isLoading;
  const failed = [scenario, checkpoint].find(({ error, data }) => error !== null && !data);
  useEffect(() => panel.current?.focus(), []);
  useUndoKeys(panel, onHistory);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Edit inputs"
      // Stays beside the chart and its explanation.
      className="min-w-0 rounded-lg lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto print:hidden"
    >
      <Card>
        <CardHeader
          title="Edit inputs"
          description={
            maySave
              ? edit.savedId === null && history.present.length > 0 && "Not saved yet."
              : "A preview. Analysts and admins of the project save scenarios."
          }
          actions={
            <>
              <Button
                size="icon"
                aria-label="Undo"
                title="Undo (Ctrl+Z)"
                disabled={history.past.length === 0}
                onClick={() => onHistory(undo)}
              >
                <Undo2 className="size-4" />
              </Button>
              <Button
                size="icon"
                aria-label="Redo"
                title="Redo (Ctrl+Shift+Z)"
                disabled={history.future.length === 0}
                onClick={() => onHistory(redo)}
              >
                <Redo2 className="size-4" />
              </Button>
              <Button look="quiet" size="icon" aria-label="Close" onClick={onClose}>
                <X className="size-4" />
              </Button>
            </>
          }
        />
        {scenarios.length > 1 && (
          <div className="px-5 pb-4">
            <Select
              aria-label="Scenario to edit"
              value={scenarioId}
              onChange={({ target }) => onScenario(target.value)}
              options={scenarios.map(({ id, title }) => [id, title])}
            />
          </div>
        )}
        {failed?.error && <ErrorState error={failed.error} onRetry={failed.refetch} />}
        {!failed && inputs?.length !== 0 && !(scenario.data && isOrdered) && <SkeletonRows rows={4} />}
        {!failed && inputs?.length === 0 && (
          <div className="px-5 pb-5">
            <NoInputsNote projectId={projectId} features={inputs} />
          </div>
        )}
        {!failed && inputs?.length !== 0 && scenario.data && isOrdered && (
          <EditFields
            key={scenarioId}
            scenario={scenario.data}
            features={byEffect(checkpoint.data.inputFeatures, model.data?.importance ?? [])}
            {...edit}
          />
        )}
      </Card>
    </section>
  );
}

/** Undoes by Ctrl+Z and redoes by Ctrl+Shift+Z, except in fields outside of the panel. */
function useUndoKeys(
  panel: React.RefObject<HTMLElement | null>,
  onHistory: (change: (history: History<Recipe>) => History<Recipe>) => void,
): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
      const target = event.target as Element;
      const isElsewhere = target.closest("input, textarea, select, [role=dialog]") !== null;
      if (isElsewhere && !panel.current?.contains(target)) return;
      event.preventDefault();
      onHistory(event.shiftKey ? redo : undo);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [panel, onHistory]);
}
