import { z } from "zod";

type Issue = Parameters<z.core.$ZodErrorMap>[0];

/** What a value of a type is called in JSON; of the types that are not here a body holds none. */
const typeNames: Record<string, string> = {
  ...{
    string: "a string",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    null: "null",
  },
  ...{ array: "an array", object: "an object", record: "an object", undefined: "nothing" },
};
const nameOfType = (type: string) => typeNames[type] ?? `a value of the type ${type}`;

const formats: Record<string, string> = {
  guid: "Send a GUID such as 0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f",
  datetime: "Write a time in ISO 8601 with its zone, such as 2026-02-14T06:00:00Z",
  date: "Write a date such as 2026-02-14",
  email: "Write an email address such as ada@example.com",
};

const sizes: Record<string, string> = { string: "character", array: "item" };

/**
 * What to do about a fault, in words of our own for every fault that the contract's schemas can find. A schema that has
 * more to say brings its own message, which counts before this.
 */
function faultWords(issue: Issue): string {
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
      return formats[issue.format] ?? "Write it in the form that the documentation shows";
    case "unrecognized_keys":
      return `Leave out ${issue.keys.join(", ")}: the request has no such field`;
    case "invalid_union":
      return ofBranches(issue.errors, issue.input);
    default:
      return "Send a value such as the documentation shows";
  }
}

// The one place of the process: another copy of this library, in another bundle, has it as well.
z.config({ customError: faultWords });

/** What stands there in place of the right type. Of numbers JSON can write some that none can hold, which are infinite. */
function insteadOf(input: unknown): string {
  if (input === undefined || Number.isNaN(input)) return "";
  if (input === Number.POSITIVE_INFINITY || input === Number.NEGATIVE_INFINITY) return ", not one that large";
  if (typeof input === "number" && !Number.isInteger(input)) return `, not ${input}`;
  return `, not ${nameOfType(Array.isArray(input) ? "array" : input === null ? "null" : typeof input)}`;
}

function bound(origin: string, than: string, limit: number | bigint): string {
  const size = sizes[origin];
  if (size === undefined) return `Write a number of ${than} ${limit}`;
  const verb = origin === "string" ? "Write" : "Send";
  return `${verb} ${than} ${limit} ${size}${Number(limit) === 1 ? "" : "s"}`;
}

/** What any of a union's branches would take; where one takes values of this type, what that one says. */
function ofBranches(branches: readonly (readonly z.core.$ZodIssue[])[], input: unknown): string {
  const faults = branches.flatMap((branch) => branch.slice(0, 1));
  const ofItsType = faults.find(({ code }) => code !== "invalid_type");
  if (ofItsType !== undefined) return ofItsType.message;
  const names = faults.flatMap((fault) =>
    fault.code === "invalid_type" ? [nameOfType(fault.expected)] : [],
  );
  const items = [...new Set(names)].flatMap((name) => name.split(" or "));
  return `Send ${oneOf(items)}${insteadOf(input)}`;
}

function oneOf(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}
