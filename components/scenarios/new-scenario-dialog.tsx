"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries";
import { Dialog } from "#components/ui/dialog";
import { SkeletonRows } from "#components/ui/skeleton";
import { EmptyState, ErrorState } from "#components/ui/states";
import type { Scenario } from "#lib/contract/scenarios";
import { NewScenarioForm } from "./new-scenario-form.tsx";
import { adjustedCopy, replay } from "./scenario-start.tsx";
import { useScenarioSetup } from "./use-scenario-setup.tsx";

export function NewScenarioDialog({
  projectId,
  base,
  isReplay = false,
  takenColors,
  onClose,
}: {
  projectId: string;
  /** The scenario to start from, where the dialog was opened on one. */
  base: Scenario | null;
  /** Runs that scenario's input on another checkpoint. */
  isReplay?: boolean;
  takenColors: readonly string[];
  onClose(): void;
}) {
  const { setup, error } = useScenarioSetup(projectId);
  const origin = useOrigin(isReplay ? base : null);
  const start = base && (isReplay ? replay(base, origin.scenario) : adjustedCopy(base));
  const ready = setup && !origin.isPending;
  const nothingToRun = setup && setup.checkpoints.length === 0 && setup.project.currentModel === null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isReplay ? "Run on another checkpoint" : "New scenario"}
      description={
        isReplay
          ? "The same input, run through another version of the model."
          : "An input, run through one version of the model."
      }
      width="lg"
    >
      {!ready && !error && <SkeletonRows />}
      {error && <ErrorState error={error} />}
      {nothingToRun && (
        <EmptyState title="No model to run">
          Train or import a model first; then scenarios can be run through it.
        </EmptyState>
      )}
      {ready && !nothingToRun && (
        <NewScenarioForm setup={setup} start={start} takenColors={takenColors} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** The scenario that another one's recipe started from; null where there is none any more. */
function useOrigin(scenario: Scenario | null): { scenario: Scenario | null; isPending: boolean } {
  const id = scenario?.baseScenarioId ?? null;
  const origin = useQuery({
    ...queries.scenario(scenario?.projectId ?? "", id ?? ""),
    enabled: id !== null,
    retry: false,
  });
  return { scenario: origin.data ?? null, isPending: id !== null && origin.isPending };
}
