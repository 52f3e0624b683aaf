import type { Checkpoint } from "#lib/contract/checkpoints";
import type { ProjectSummary } from "#lib/contract/projects";
import type { Adjustment, Scenario } from "#lib/contract/scenarios";
import { currentModelOf } from "./current-model.ts";
import { newCheckpoint } from "./scenario-form.ts";

/** Starting point of a new scenario, if the dialog was opened on a scenario. */
export type ScenarioStart = {
  /** Scenario that provides the input. */
  base: Scenario;
  /** Recipe to change, or to replay unchanged. */
  adjustments: Adjustment[];
  /** Scenario on which the dialog was opened; its checkpoints are proposed. */
  opened: Scenario;
  /** Whether to run the same input with another checkpoint. */
  isReplay: boolean;
};

export const adjustedCopy = (scenario: Scenario): ScenarioStart => ({
  base: scenario,
  opened: scenario,
  adjustments: [],
  isReplay: false,
});

/**
 * Prepares a run on another checkpoint. Replays the recipe, if the scenario has one, so that the recipe stays visible;
 * unless its base scenario no longer exists.
 */
export function replay(scenario: Scenario, origin: Scenario | null): ScenarioStart {
  const recipe =
    origin?.status === "Completed"
      ? { base: origin, adjustments: scenario.adjustments }
      : { base: scenario, adjustments: [] };
  return { ...recipe, opened: scenario, isReplay: true };
}

/**
 * Returns the proposed checkpoint: the same one for a copy, another one for a replay. Proposes the current model instead
 * of a default checkpoint that is older.
 */
export function proposedCheckpoint(
  start: ScenarioStart | null,
  checkpoints: readonly Checkpoint[],
  project: Pick<ProjectSummary, "currentModel" | "defaultCheckpointId">,
): string {
  const current = currentModelOf(project, checkpoints);
  const usual = current?.olderDefault ? current.value : (project.defaultCheckpointId ?? newCheckpoint);
  if (start === null) return usual;
  const { checkpointId } = start.opened;
  if (!start.isReplay) return checkpointId ?? usual;
  if (usual !== checkpointId) return usual;
  return checkpoints.find(({ id }) => id !== checkpointId)?.id ?? newCheckpoint;
}
