import type { z } from "zod";
import "#lib/contract/issue-messages";
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
  const details = [
    ...(error?.issues ?? []).flatMap((issue) => toDetails(what === "query" ? sentOnce(issue) : issue, [])),
    ...others,
  ];
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : "";
  const message = `The ${what} is not valid: ${first?.message ?? "it has the wrong structure"}${more}.`;
  return new DomainError("validation_failed", message.replace(/\.\.$/, "."), { details });
}

/** Replaces the message for a repeated parameter, because its sender does not know that it parses as an array. */
function sentOnce(issue: Issue): Issue {
  const repeated = issue.code === "invalid_type" && Array.isArray(issue.input);
  return repeated ? { ...issue, message: "Send it once" } : issue;
}

function toDetails(issue: Issue, base: PropertyKey[]): ErrorDetail[] {
  const path = [...base, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const field = fieldName([...path, key]);
      return { field, code: "unknown_field", message: `${field} is not a field of this request` };
    });
  }
  if (issue.code === "invalid_union") {
    const branch = nearestBranch(issue.errors);
    if (branch) return branch.flatMap((inner) => toDetails(inner, path));
  }
  if (issue.code === "invalid_key" || issue.code === "invalid_element") {
    return issue.issues.flatMap((inner) => toDetails({ ...inner, path: [] }, path));
  }
  const field = fieldName(path);
  const subject = field === "" ? "" : `${field}: `;
  const missing = issue.input === undefined && ofTypes.has(issue.code);
  return [
    {
      ...(field === "" ? {} : { field }),
      code: missing ? "required" : issue.code,
      message: missing && field !== "" ? `${field} is required` : `${subject}${issue.message}`,
    },
  ];
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
