import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, keys } from "#components/api/client.ts";
import { useDisplays } from "#components/display/displays.tsx";
import type { Adjustment, CreateScenario, Scenario } from "#lib/contract/scenarios";
import { changeText, distinctTitle } from "./change-text.ts";
import { useReadOthers } from "./use-others.ts";

/**
 * Creates a scenario from another one by adjustments, on the same checkpoints. The title names the change.
 *
 * @param color colour of the scenario; by default one that no other scenario has
 */
export function useAdjustedScenario(
  { projectId, id, checkpointId, dependentProjectCheckpoints, title }: Scenario,
  color?: string,
) {
  const client = useQueryClient();
  const displays = useDisplays();
  const readOthers = useReadOthers(projectId);
  return useMutation({
    mutationFn: async (adjustments: readonly Adjustment[]) => {
      const others = await readOthers();
      const change = changeText(adjustments, (name) => displays(name).name);
      return api.post(`/projects/${projectId}/scenarios`, {
        title: distinctTitle(title, change, others.titles),
        color: color ?? others.color,
        baseScenarioId: id,
        ...(checkpointId && { checkpointId }),
        dependentProjectCheckpoints,
        adjustments: [...adjustments],
      } satisfies CreateScenario);
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
}
