import type { z } from "zod";
import { removeFields } from "#lib/contract/issue-messages";
import { limits } from "#lib/contract/limits";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";

type Issue = z.core.$ZodIssue;

/**
 * Converts the issues of a schema to the API's error.
 *
 * @param what "body" or "query"
 * @param others further issues
 */
export function validationError(
  error: z.ZodError | undefined,
  what: string,
  others: readonly ErrorDetail[] = [],
): DomainError {
  const details: ErrorDetail[] = [];
  let count = others.length;
  // A short body can have an issue in each of a hundred thousand values. Only those in the response are written.
  const report: Report = (detail) => {
    count++;
    if (details.length < limits.errorDetails) details.push(detail());
  };
  for (const issue of error?.issues ?? [])
    reportIssue(what === "query" ? sentOnce(issue) : issue, [], report);
  details.push(...others.slice(0, limits.errorDetails - details.length));
  const first = details[0];
  const more = count > 1 ? ` (and ${count - 1} more, see details)` : "";
  const message = `The ${what} is not valid: ${first?.message ?? "it has the wrong structure"}${more}.`;
  const unlisted = count - details.length;
  return new DomainError("validation_failed", message.replace(/\.\.$/, "."), { details, unlisted });
}

type Report = (detail: () => ErrorDetail) => void;

/** Replaces the message for a repeated parameter, because its sender does not know that it parses as an array. */
function sentOnce(issue: Issue): Issue {
  const repeated = issue.code === "invalid_type" && Array.isArray(issue.input);
  return repeated ? { ...issue, message: "Send it once" } : issue;
}

function reportIssue(issue: Issue, base: PropertyKey[], report: Report): void {
  const path = [...base, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    const own = issue.message === removeFields(issue.keys) ? null : issue.message;
    for (const key of issue.keys) report(() => unknownField(fieldName([...path, key]), own));
    return;
  }
  const branch = issue.code === "invalid_union" ? nearestBranch(issue.errors) : null;
  if (branch) {
    for (const inner of branch) reportIssue(inner, path, report);
  } else if (issue.code === "invalid_key" || issue.code === "invalid_element") {
    for (const inner of issue.issues) reportIssue({ ...inner, path: [] }, path, report);
  } else report(() => detailOf(issue, fieldName(path)));
}

/** @param own message of the schema for fields that it does not have */
const unknownField = (field: string, own: string | null = null): ErrorDetail => ({
  field,
  code: "unknown_field",
  message: own === null ? `${field} is not a field of this request` : `${field}: ${own}`,
});

function detailOf(issue: Issue, field: string): ErrorDetail {
  const subject = field === "" ? "" : `${field}: `;
  const missing = issue.input === undefined && ofTypes.has(issue.code);
  return {
    ...(field === "" ? {} : { field }),
    code: missing ? "required" : issue.code,
    message: missing && field !== "" ? `${field} is required` : `${subject}${issue.message}`,
  };
}

/** Issue codes of a value with the wrong type. */
const ofTypes = new Set(["invalid_type", "invalid_value", "invalid_union"]);

/** Returns the issues of the union's branch that matched the value most deeply. null if no branch matched any field. */
function nearestBranch(branches: Issue[][]): Issue[] | null {
  const depth = (branch: Issue[]) => Math.max(0, ...branch.map((issue) => issue.path.length));
  const [best] = branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
  return best && depth(best) > 0 ? best : null;
}

/** Returns the field path with dots throughout: `adjustments.0.value`. */
const fieldName = (path: PropertyKey[]) => path.map(String).join(".");
