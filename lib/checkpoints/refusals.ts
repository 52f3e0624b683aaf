import { errorCodes } from "#lib/contract/error-codes";
import { limits } from "#lib/contract/limits";
import { DomainError } from "#lib/errors/domain-error";

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

export const checkpointInUse = (label: string, users: readonly { id: string; title: string }[]) =>
  new DomainError(
    "checkpoint_in_use",
    `The checkpoint ${JSON.stringify(label)} is used by ${users.length === 1 ? "a scenario" : `${users.length} scenarios`}: delete ${users.length === 1 ? "it" : "them"} first.`,
    {
      details: users.map(({ id, title }) => ({
        field: "scenarios",
        id,
        value: title,
        code: "checkpoint_in_use",
        message: `The scenario ${JSON.stringify(title)} (${id}) uses the checkpoint.`,
      })),
    },
  );
