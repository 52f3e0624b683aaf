"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { useMay } from "#components/api/viewer.tsx";
import { Button } from "#components/ui/button.tsx";
import { nextColor } from "#components/ui/palette.ts";
import type { CreateScenario, Scenario } from "#lib/contract/scenarios";
import { distinctTitle } from "./change-text.ts";
import { type Look, useOthers } from "./use-others.ts";

/**
 * Returns a request that repeats the scenario with its stale pinned checkpoints replaced by the newer defaults.
 *
 * @param change the suffix of the new title, the checkpoint to use, and titles and colours of other scenarios
 */
export function rerunBody(
  scenario: Scenario,
  { suffix, checkpointId, others }: { suffix: string; checkpointId: string | null; others: readonly Look[] },
): CreateScenario {
  const moved = scenario.stalePins.map((pin) => [pin.projectId, pin.defaultCheckpointId] as const);
  // Runs on one checkpoint after another name only the last one.
  const former = `, ${scenario.checkpointLabel}`;
  const title = scenario.title.endsWith(former) ? scenario.title.slice(0, -former.length) : scenario.title;
  return {
    title: distinctTitle(
      title || scenario.title,
      suffix,
      others.map((one) => one.title),
    ),
    color: nextColor(others.map((one) => one.color)),
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
  const mayCreate = useMay()("createScenario");
  const { others } = useOthers(scenario.projectId);
  const again = useMutation({
    mutationFn: () =>
      api.post(
        `/projects/${scenario.projectId}/scenarios`,
        rerunBody(scenario, { suffix: "newer inputs", checkpointId: scenario.checkpointId, others }),
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
      {mayCreate && (
        <Button size="sm" busy={again.isPending} onClick={() => again.mutate()}>
          Run on newer checkpoints
        </Button>
      )}
    </div>
  );
}
