import { z } from "zod";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** JSON names of types. A body holds no values of other types. */
const typeNames: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
  array: "an array",
  object: "an object",
  record: "an object",
  undefined: "nothing",
};
const nameOfType = (type: string) => typeNames[type] ?? `a value of the type ${type}`;

const formats: Record<string, string> = {
  guid: "Send a GUID such as 0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f",
  datetime: "Use a time in ISO 8601 with its zone, such as 2026-02-14T06:00:00Z",
  date: "Use a date such as 2026-02-14",
  email: "Use an email address such as ada@example.com",
};

const sizes: Record<string, string> = { string: "character", array: "item" };

/** Message for fields that a schema does not have, unless the schema has its own. */
export const removeFields = (names: readonly string[]) =>
  `Remove ${names.join(", ")}: the request has no such field`;

/**
 * Returns the message for an issue: an instruction for every issue that the contract's schemas can find. A schema's own
 * message takes precedence.
 */
function issueMessage(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `Send ${nameOfType(issue.expected)}${insteadOf(issue.input)}`;
    case "invalid_value":
      return `Send ${oneOf(issue.values.map((value) => JSON.stringify(value)))}`;
    case "too_small":
      return bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_format":
      return formats[issue.format] ?? "Use the format that the API reference shows";
    case "unrecognized_keys":
      return removeFields(issue.keys);
    case "invalid_union":
      return unionMessage(issue.errors, issue.input);
    default:
      return "Send a value of the form that the API reference shows";
  }
}

// The one place of the process where messages are set. It also applies to copies of zod in other bundles.
z.config({ customError: issueMessage });

/** Returns what was sent instead of the expected type. JSON can spell numbers that parse as infinite. */
function insteadOf(input: unknown): string {
  if (input === undefined || Number.isNaN(input)) return "";
  if (input === Number.POSITIVE_INFINITY || input === Number.NEGATIVE_INFINITY) return ", not one that large";
  if (typeof input === "number" && !Number.isInteger(input)) return `, not ${input}`;
  return `, not ${nameOfType(Array.isArray(input) ? "array" : input === null ? "null" : typeof input)}`;
}

function bound(origin: string, than: string, limit: number | bigint): string {
  const size = sizes[origin];
  if (size === undefined) return `Use a number of ${than} ${limit}`;
  const verb = origin === "string" ? "Use" : "Send";
  return `${verb} ${than} ${limit} ${size}${Number(limit) === 1 ? "" : "s"}`;
}

/** Returns the message of the branch that accepts this type, else lists the types that the branches accept. */
function unionMessage(branches: readonly (readonly z.core.$ZodIssue[])[], input: unknown): string {
  const issues = branches.flatMap((branch) => branch.slice(0, 1));
  const ofMatchingType = issues.find(({ code }) => code !== "invalid_type");
  if (ofMatchingType !== undefined) return ofMatchingType.message;
  const names = issues.flatMap((issue) =>
    issue.code === "invalid_type" ? [nameOfType(issue.expected)] : [],
  );
  const items = [...new Set(names)].flatMap((name) => name.split(" or "));
  return `Send ${oneOf(items)}${insteadOf(input)}`;
}

function oneOf(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}
