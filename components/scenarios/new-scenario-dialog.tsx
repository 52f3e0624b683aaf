"use client";

import { Dialog } from "#components/ui/dialog";
import { SkeletonRows } from "#components/ui/skeleton";
import { EmptyState, ErrorState } from "#components/ui/states";
import type { Scenario } from "#lib/contract/scenarios";
import { NewScenarioForm } from "./new-scenario-form.tsx";
import { useScenarioSetup } from "./use-scenario-setup.tsx";

export function NewScenarioDialog({
  projectId,
  base,
  takenColors,
  onClose,
}: {
  projectId: string;
  /** The scenario to start from, where the dialog was opened on one. */
  base: Scenario | null;
  takenColors: readonly string[];
  onClose(): void;
}) {
  const { setup, error } = useScenarioSetup(projectId);
  const nothingToRun = setup && setup.checkpoints.length === 0 && setup.project.currentModel === null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="New scenario"
      description="An input, run through one version of the model."
      width="lg"
    >
      {!setup && !error && <SkeletonRows />}
      {error && <ErrorState error={error} />}
      {nothingToRun && (
        <EmptyState title="No model to run">
          Train or import a model first; then scenarios can be run through it.
        </EmptyState>
      )}
      {setup && !nothingToRun && (
        <NewScenarioForm setup={setup} base={base} takenColors={takenColors} onClose={onClose} />
      )}
    </Dialog>
  );
}
