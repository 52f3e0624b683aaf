import { type DomainError, issueError } from "#lib/platform/errors/domain-error";

/** The error for an upstream feature that cannot be computed. */
export function notComputableError(feature: string): DomainError {
  const message = `"${feature}" is the prediction of an upstream project and cannot be computed here. Add the column to the CSV.`;
  return issueError("input_invalid", { column: feature, code: "missing_column", message });
}

/** The error for a time that an upstream project's series cannot be extended to. */
export function outOfReachError(target: string, why: string): DomainError {
  const message = `"${target}" is the prediction of an upstream project and cannot be computed, because ${why}. Append newer rows to the upstream project.`;
  return issueError("input_invalid", { column: target, code: "missing_column", message });
}
