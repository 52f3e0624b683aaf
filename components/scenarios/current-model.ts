import type { Checkpoint } from "#lib/contract/checkpoints";
import type { ProjectSummary } from "#lib/contract/projects";
import { newCheckpoint } from "./scenario-form.ts";

export type CurrentModel = {
  /** Value of a select: the checkpoint that holds the current model, or `newCheckpoint`. */
  value: string;
  /** Default checkpoint whose model is older than the current one; null if the default is up to date. */
  olderDefault: Checkpoint | null;
};

/**
 * Returns how a new scenario can use the current model; null without a model.
 *
 * After a training, the default checkpoint still holds the former model. A scenario on it would silently ignore the
 * training. A default that was saved after the training was chosen deliberately.
 */
export function currentModelOf(
  { currentModel }: Pick<ProjectSummary, "currentModel">,
  checkpoints: readonly Checkpoint[],
): CurrentModel | null {
  if (currentModel === null) return null;
  const holders = checkpoints.filter(({ modelId }) => modelId === currentModel.id);
  const holder = holders.find(({ isDefault }) => isDefault) ?? holders[0];
  const byDefault = checkpoints.find(({ isDefault }) => isDefault);
  const isOlder =
    byDefault !== undefined &&
    byDefault.modelId !== currentModel.id &&
    Date.parse(byDefault.createdAt) < Date.parse(currentModel.trainedAt);
  return { value: holder?.id ?? newCheckpoint, olderDefault: isOlder ? byDefault : null };
}

/** Returns a hint beside the selected checkpoint; undefined if the default checkpoint is up to date. */
export function newerModelHint(current: CurrentModel | null, selected: string): string | undefined {
  if (!current?.olderDefault) return undefined;
  return selected === current.value
    ? `The current model is newer than the default checkpoint “${current.olderDefault.label}”`
    : "The project has a newer model: choose the current model to use it";
}

/** Returns checkpoints as the options of a select, with the current model. Marks the default. */
export function checkpointOptions(
  checkpoints: readonly Checkpoint[] = [],
  current: CurrentModel | null = null,
): (readonly [string, string])[] {
  const options = checkpoints.map(({ id, label, isDefault }) => {
    const marks = [isDefault && "default", id === current?.value && "current model"].filter(Boolean);
    return [id, marks.length > 0 ? `${label} (${marks.join(", ")})` : label] as const;
  });
  return current?.value === newCheckpoint ? [...options, saveCurrent] : options;
}

export const saveCurrent = [newCheckpoint, "Save the current model as a new checkpoint"] as const;
