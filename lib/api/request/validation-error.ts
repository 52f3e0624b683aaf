import type { z } from "zod";
import "#lib/contract/issue-messages";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";

type Issue = z.core.$ZodIssue;

/**
 * Every fault that a schema found, as the interface names them.
 *
 * @param what "body" or "query"
 * @param others what else is wrong with it
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
  const message = `The ${what} is not valid: ${first?.message ?? "it has a wrong form"}${more}.`;
  return new DomainError("validation_failed", message.replace(/\.\.$/, "."), { details });
}

/** A parameter that came more than once is a list, of which its sender knows nothing. */
function sentOnce(issue: Issue): Issue {
  const repeated = issue.code === "invalid_type" && Array.isArray(issue.input);
  return repeated ? { ...issue, message: "Send it once" } : issue;
}

function toDetails(issue: Issue, base: PropertyKey[]): ErrorDetail[] {
  const path = [...base, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const field = fieldName([...path, key]);
      return { field, code: "unknown_field", message: `${field} is no field of this request` };
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

/** What a value of no type at all is at fault for. */
const ofTypes = new Set(["invalid_type", "invalid_value", "invalid_union"]);

/** Of a union's branches the one that got furthest into the value; null where none got anywhere. */
function nearestBranch(branches: Issue[][]): Issue[] | null {
  const depth = (branch: Issue[]) => Math.max(0, ...branch.map((issue) => issue.path.length));
  const [best] = branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
  return best && depth(best) > 0 ? best : null;
}

/** `adjustments.0.value`: dots throughout, as the forms write it. */
const fieldName = (path: PropertyKey[]) => path.map(String).join(".");
