import { hash } from "node:crypto";
import { findSentFile } from "#lib/platform/storage/sent-files";

/**
 * Returns the SHA-256 of a JSON value, in hexadecimal. The order of fields, whitespace and escapes do not matter. A
 * file field counts by its content.
 *
 * @param value parsed and validated: unlimited nesting would overflow the stack
 */
export const hashJson = (value: unknown): string => hash("sha256", JSON.stringify(value, canonicalize));

function canonicalize(_name: string, part: unknown): unknown {
  if (typeof part === "string") {
    const file = findSentFile(part);
    return file === undefined ? part : { sha256: file.sha256(), issue: file.issue };
  }
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
}
