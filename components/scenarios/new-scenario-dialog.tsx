"use client";

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Link } from "#components/ui/link.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { NewScenarioForm } from "./new-scenario-form.tsx";
import { adjustedCopy, replay } from "./scenario-start.ts";
import { useScenarioSetup } from "./use-scenario-setup.ts";

export function NewScenarioDialog({
  projectId,
  base,
  isReplay = false,
  onClose,
}: {
  projectId: string;
  /** The scenario to start from, where the dialog was opened on one. */
  base: Scenario | null;
  /** Runs that scenario's input on another checkpoint. */
  isReplay?: boolean;
  onClose(): void;
}) {
  const client = useQueryClient();
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  const { setup, error } = useScenarioSetup(projectId);
  const scenarios = useInfiniteQuery(queries.scenarios(projectId));
  const origin = useOrigin(isReplay ? base : null);
  const start = base && (isReplay ? replay(base, origin.scenario) : adjustedCopy(base));
  // The form proposes a colour that is free, once; without the list it starts all the same.
  const ready = setup && !origin.isPending && !scenarios.isPending;
  const takenColors = scenarios.data?.pages.flatMap(({ items }) => items.map(({ color }) => color)) ?? [];
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
      footer={ready && !nothingToRun && <div ref={setFoot} className="w-full space-y-3" />}
    >
      {!ready && !error && <SkeletonRows />}
      {error && (
        <ErrorState error={error} onRetry={() => client.refetchQueries({ type: "active", stale: true })} />
      )}
      {nothingToRun && (
        <EmptyState
          title="No model to run"
          action={
            <Button look="primary" asChild>
              <Link href={`/projects/${projectId}/model`}>To the model</Link>
            </Button>
          }
        >
          Train or import a model first; then scenarios can be run through it.
        </EmptyState>
      )}
      {ready && !nothingToRun && <NewScenarioForm {...{ setup, start, takenColors, foot, onClose }} />}
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
