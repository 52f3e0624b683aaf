import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Adjustment, Scenario } from "#lib/contract/scenarios";
import { newCheckpoint } from "./scenario-form.ts";

/** What a new scenario starts from, where the dialog was opened on another one. */
export type ScenarioStart = {
  /** Whose input is taken. */
  base: Scenario;
  /** The recipe, to be changed or to be replayed as it is. */
  adjustments: Adjustment[];
  title: string;
  /** The scenario that the dialog was opened on: its checkpoints are proposed. */
  opened: Scenario;
  /** The same input once more, with another checkpoint. */
  isReplay: boolean;
};

export const adjustedCopy = (scenario: Scenario): ScenarioStart => ({
  ...{ base: scenario, opened: scenario, adjustments: [], isReplay: false },
  title: `${scenario.title}, adjusted`,
});

/**
 * A scenario on another checkpoint. One that was made by a recipe is made by it once more, so that the recipe stays to be
 * seen; unless the scenario that it started from is gone.
 */
export function replay(scenario: Scenario, origin: Scenario | null): ScenarioStart {
  const recipe =
    origin?.status === "Completed"
      ? { base: origin, adjustments: scenario.adjustments }
      : { base: scenario, adjustments: [] };
  return { ...recipe, opened: scenario, isReplay: true, title: `${scenario.title}, another checkpoint` };
}

/** The checkpoint that is proposed: the same one for a copy, another one for a replay. */
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
