"use client";

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { NewScenarioForm } from "./new-scenario-form.tsx";
import { adjustedCopy, replay } from "./scenario-start.ts";
import { useScenarioSetup } from "./use-scenario-setup.ts";

export default function NewScenarioDialog({
  projectId,
  base,
  isReplay = false,
  checkpointId = null,
  onClose,
}: {
  projectId: string;
  /** Scenario to start from, if the dialog was opened on one. */
  base: Scenario | null;
  /** Whether to run that scenario's input on another checkpoint. */
  isReplay?: boolean;
  /** Proposed checkpoint, empty to save the current model; null for the default one. */
  checkpointId?: string | null;
  /** Can return a promise until the dialog is closed. */
  onClose(): unknown;
}) {
  const client = useQueryClient();
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  const { setup, error } = useScenarioSetup(projectId);
  const scenarios = useInfiniteQuery(queries.scenarios(projectId));
  const origin = useOrigin(isReplay ? base : null);
  const start = base && (isReplay ? replay(base, origin.scenario) : adjustedCopy(base));
  // The form proposes an unused colour once. A failed list does not block the form.
  const ready = setup && !origin.isPending && !scenarios.isPending;
  const others = scenarios.data ?? [];
  const nothingToRun = setup && setup.checkpoints.length === 0 && setup.project.currentModel === null;
  return (
    <Dialog
      onClose={onClose}
      title={isReplay ? "Run on another checkpoint" : "New scenario"}
      description={
        isReplay
          ? "The new scenario has the same input."
          : "Runs an input through a checkpoint, a saved version of the model."
      }
      width="lg"
      keepsEntries
      footer={ready && !nothingToRun && <div ref={setFoot} className="w-full space-y-3" />}
    >
      {!ready && !error && <SkeletonRows />}
      {error && (
        <ErrorState error={error} onRetry={() => client.refetchQueries({ type: "active", stale: true })} />
      )}
      {nothingToRun && (
        <EmptyState
          title="No model yet"
          action={
            <ButtonLink look="primary" href={`/projects/${projectId}/model`}>
              Go to the model
            </ButtonLink>
          }
        >
          Train or import a model first; then scenarios can be run through it.
        </EmptyState>
      )}
      {ready && !nothingToRun && (
        <NewScenarioForm {...{ setup, start, checkpointId, others, foot, onClose }} />
      )}
    </Dialog>
  );
}

/** Returns the base scenario of another scenario's recipe; null if it no longer exists. */
function useOrigin(scenario: Scenario | null): { scenario: Scenario | null; isPending: boolean } {
  const id = scenario?.baseScenarioId ?? null;
  const origin = useQuery({ ...queries.scenario(scenario?.projectId ?? "", id), retry: false });
  return { scenario: origin.data ?? null, isPending: id !== null && origin.isPending };
}
