import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Adjustment, Scenario } from "#lib/contract/scenarios";
import { newCheckpoint } from "./scenario-form.ts";

/** Starting point of a new scenario, if the dialog was opened on a scenario. */
export type ScenarioStart = {
  /** Scenario that provides the input. */
  base: Scenario;
  /** Recipe to change, or to replay unchanged. */
  adjustments: Adjustment[];
  title: string;
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
  title: `${scenario.title}, adjusted`,
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
  return { ...recipe, opened: scenario, isReplay: true, title: `${scenario.title}, another checkpoint` };
}

/** Returns the proposed checkpoint: the same one for a copy, another one for a replay. */
export function proposedCheckpoint(
  start: ScenarioStart | null,
  checkpoints: readonly Checkpoint[],
  defaultCheckpointId: string | null,
): string {
  if (start === null) return defaultCheckpointId ?? newCheckpoint;
  if (!start.isReplay) return start.opened.checkpointId ?? defaultCheckpointId ?? newCheckpoint;
  const others = checkpoints.filter(({ id }) => id !== start.opened.checkpointId);
  return (others.find(({ isDefault }) => isDefault) ?? others[0])?.id ?? newCheckpoint;
}
