import { counted } from "#lib/contract/counted";
import type { Issue } from "#lib/engine/csv/issues";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";

/** The first issues of a file or an input, and the total number of issues. */
type Issues = { issues: readonly Issue[]; issueCount: number };

/**
 * Returns the error for a CSV with issues: the listed issues, and the total count if there are more.
 *
 * @param hint how to correct all issues together; ends the message
 */
export function csvError(found: Issues, hint = ""): DomainError {
  return inputIssuesError("The CSV", [...found.issues], found.issueCount, hint);
}

/** @param subject the input that has the issues; starts the message */
export function inputIssuesError(
  subject: string,
  details: ErrorDetail[],
  issueCount: number,
  hint = "",
): DomainError {
  const count = issueCount === 1 ? "an issue" : counted(issueCount, "issue");
  const message = `${subject} has ${count}: ${details[0]?.message ?? ""} ${hint}`.trim();
  return new DomainError("input_invalid", message, { details, unlisted: issueCount - details.length });
}
