"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { suffixedTitle } from "#components/form/suffixed-title.ts";
import { Button } from "#components/ui/button.tsx";
import type { CreateScenario, Scenario, ScenarioAccepted } from "#lib/contract/scenarios";

/**
 * Returns a request that repeats the scenario with its stale pinned checkpoints replaced by the newer defaults.
 *
 * @param change the suffix of the new title, and the checkpoint to use
 */
export function rerunBody(
  scenario: Scenario,
  { suffix, checkpointId }: { suffix: string; checkpointId: string | null },
): CreateScenario {
  const moved = scenario.stalePins.map((pin) => [pin.projectId, pin.defaultCheckpointId] as const);
  return {
    title: suffixedTitle(scenario.title, suffix),
    color: scenario.color,
    tags: scenario.tags,
    ...(checkpointId && { checkpointId }),
    baseScenarioId: scenario.id,
    dependentProjectCheckpoints: {
      ...scenario.dependentProjectCheckpoints,
      ...Object.fromEntries(moved),
    },
  };
}

/** Lists pinned checkpoints that have a newer default, and reruns the scenario on those defaults. */
export function StalePinnedCheckpoints({ scenario }: { scenario: Scenario }) {
  const client = useQueryClient();
  const router = useRouter();
  const again = useMutation({
    mutationFn: () =>
      api.post<(typeof ScenarioAccepted)["_output"]>(
        `/projects/${scenario.projectId}/scenarios`,
        rerunBody(scenario, { suffix: "newer inputs", checkpointId: scenario.checkpointId }),
      ),
    onSuccess: async ({ scenarioId }) => {
      await client.invalidateQueries({ queryKey: keys.project(scenario.projectId) });
      toast.success("The scenario runs again on the newer checkpoints.");
      router.push(`/projects/${scenario.projectId}/scenarios/${scenarioId}`);
    },
    onError: (error) => toast.error(error.message),
  });
  if (scenario.stalePins.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-warn-wash px-4 py-2.5 text-[13px] text-warn">
      <ul className="min-w-0 space-y-1">
        {scenario.stalePins.map(({ checkpointId, label, defaultLabel }) => (
          <li key={checkpointId}>
            The inputs use the upstream checkpoint “{label}”. A newer default exists: “{defaultLabel}”.
          </li>
        ))}
      </ul>
      <Button size="sm" busy={again.isPending} onClick={() => again.mutate()}>
        Run on newer checkpoints
      </Button>
    </div>
  );
}
