import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { suffixedTitle } from "#components/form/suffixed-title.ts";
import type { Adjustment, CreateScenario, Scenario, ScenarioAccepted } from "#lib/contract/scenarios";

/**
 * Creates a scenario from another one by adjustments, on the same checkpoints.
 *
 * @param suffix end of the title, after that of the other scenario
 */
export function useAdjustedScenario(
  { projectId, id, checkpointId, dependentProjectCheckpoints, title }: Scenario,
  suffix: string,
  color?: string,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (adjustments: readonly Adjustment[]) =>
      api.post<(typeof ScenarioAccepted)["_output"]>(`/projects/${projectId}/scenarios`, {
        title: suffixedTitle(title, suffix),
        ...(color && { color }),
        baseScenarioId: id,
        ...(checkpointId && { checkpointId }),
        dependentProjectCheckpoints,
        adjustments: [...adjustments],
      } satisfies CreateScenario),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
}
