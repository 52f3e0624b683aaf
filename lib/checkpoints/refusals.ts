import type { Actor } from "#lib/context/context";
import { errorCodes } from "#lib/contract/error-codes";
import { limits } from "#lib/contract/limits";
import { DomainError, type ErrorDetail } from "#lib/errors/domain-error";
import type { ScenarioUsing } from "./scenarios-using.ts";

/** The same words whether it never existed, is another project's or has a malformed id. */
export const checkpointNotFound = () =>
  new DomainError("checkpoint_not_found", errorCodes.checkpoint_not_found[1]);

export const projectNotFound = () => new DomainError("project_not_found", errorCodes.project_not_found[1]);

export const noTrainedModel = (projectName: string) =>
  new DomainError(
    "no_trained_model",
    `The project ${JSON.stringify(projectName)} has no trained model: train or import one first.`,
  );

export const dependencyHasNoModel = (projects: readonly { id: string; name: string }[]) =>
  new DomainError(
    "dependency_has_no_model",
    "A dependent project has no saved model: train or import one there first.",
    {
      details: projects.map(({ id, name }) => ({
        field: "dependentProjectCheckpoints",
        id,
        code: "dependency_has_no_model",
        message: `The project ${JSON.stringify(name)} (${id}) has no trained model.`,
      })),
    },
  );

export const checkpointLimitReached = (projectName: string) =>
  new DomainError(
    "checkpoint_limit_reached",
    `The project ${JSON.stringify(projectName)} already has ${limits.checkpointsPerProject} checkpoints, the most that is allowed: delete one that is no longer used.`,
  );

export const duplicateLabel = (label: string) =>
  new DomainError(
    "duplicate_label",
    `Another checkpoint of the project has the label ${JSON.stringify(label)}: choose another one, or leave it out.`,
    { details: [{ field: "label", value: label, code: "duplicate_label", message: "This label is taken." }] },
  );

/** To a key the scenarios of other projects are counted, not named: it may know nothing of what they hold. */
export function checkpointInUse(actor: Actor, label: string, users: readonly ScenarioUsing[]): DomainError {
  const named = users.filter(({ projectId }) => actor.kind === "session" || actor.projectId === projectId);
  const details: ErrorDetail[] = named.map(({ id, title }) => ({
    field: "scenarios",
    id,
    value: title,
    code: "checkpoint_in_use",
    message: `The scenario ${JSON.stringify(title)} (${id}) uses the checkpoint.`,
  }));
  const unnamed = users.length - named.length;
  if (unnamed > 0) {
    const message = `${unnamed === 1 ? "A scenario" : `${unnamed} scenarios`} of projects that depend on this one ${unnamed === 1 ? "uses" : "use"} the checkpoint.`;
    details.push({ field: "scenarios", value: String(unnamed), code: "checkpoint_in_use", message });
  }
  const [used, them] = users.length === 1 ? ["a scenario", "it"] : [`${users.length} scenarios`, "them"];
  const message = `The checkpoint ${JSON.stringify(label)} is used by ${used}: delete ${them} first.`;
  return new DomainError("checkpoint_in_use", message, { details });
}
