import { limits } from "#lib/contract/limits";
import { DomainError, type ErrorDetail, issueError } from "#lib/platform/errors/domain-error";
import type { ScenarioReference } from "./scenarios-using.ts";

type NamedProject = { id: string; name: string };

const fieldOf = (id: string) => `dependentProjectCheckpoints.${id}`;

export function noTrainedModelError({ id, name }: NamedProject): DomainError {
  const message = `The project ${JSON.stringify(name)} has no trained model. Train or import one first.`;
  return issueError("no_trained_model", { id, code: "no_trained_model", message });
}

export function dependencyHasNoModelError(projects: readonly NamedProject[]): DomainError {
  const message = "An upstream project has no trained model. Train or import one there first.";
  const details = projects.map(({ id, name }) => ({
    field: fieldOf(id),
    id,
    code: "dependency_has_no_model",
    message: `The project ${JSON.stringify(name)} (${id}) has no trained model.`,
  }));
  return new DomainError("dependency_has_no_model", message, { details });
}

/** @param projects all projects without a free slot, and whether the request names each as an upstream project */
export function checkpointLimitReachedError(
  projects: readonly (NamedProject & { isUpstream: boolean })[],
): DomainError {
  const names = projects.map(({ name }) => JSON.stringify(name)).join(" and ");
  const have =
    projects.length === 1 ? `The project ${names} already has` : `The projects ${names} already have`;
  const message = `${have} ${limits.checkpointsPerProject} checkpoints, the maximum. Delete a checkpoint that is no longer used.`;
  const details = projects.map(({ id, name, isUpstream }) => ({
    ...(isUpstream ? { field: fieldOf(id) } : {}),
    id,
    code: "checkpoint_limit_reached",
    message: `The project ${JSON.stringify(name)} already has ${limits.checkpointsPerProject} checkpoints.`,
  }));
  return new DomainError("checkpoint_limit_reached", message, { details });
}

/** @param field request field that holds the label */
export function duplicateLabelError(label: string, field: string): DomainError {
  const message = `Another checkpoint of the project has the label ${JSON.stringify(label)}. Choose another label, or leave it out.`;
  return new DomainError("duplicate_label", message, {
    details: [
      { field, value: label, code: "duplicate_label", message: "Another checkpoint has this label." },
    ],
  });
}

/** Lists scenarios of projects that the caller does not see by ID only. */
export function checkpointInUseError(label: string, scenarios: readonly ScenarioReference[]): DomainError {
  const details = scenarios.map(({ id, projectId, title, isVisible }): ErrorDetail => {
    const place = { field: "scenarios", id, code: "checkpoint_in_use" };
    if (!isVisible) {
      return { ...place, message: `A scenario (${id}) of a downstream project uses the checkpoint.` };
    }
    const message = `The scenario ${JSON.stringify(title)} (${id}) uses the checkpoint.`;
    return { ...place, projectId, value: title, message };
  });
  const [use, what] =
    scenarios.length === 1
      ? ["A scenario uses", "scenario"]
      : [`${scenarios.length} scenarios use`, "scenarios"];
  const message = `${use} the checkpoint ${JSON.stringify(label)}. Delete the ${what} first.`;
  return new DomainError("checkpoint_in_use", message, { details });
}
