import { hash } from "node:crypto";
import { findSentFile } from "#lib/platform/storage/sent-files";

/**
 * SHA-256, in hexadecimal, of what a JSON value says: in whatever order its fields stood and however it was spaced and
 * escaped. A file that came in it counts by its content.
 *
 * @param value parsed, and found valid: one nested without end would run over the stack
 */
export const hashJson = (value: unknown): string => hash("sha256", JSON.stringify(value, plainly));

function plainly(_name: string, part: unknown): unknown {
  if (typeof part === "string") {
    const file = findSentFile(part);
    return file === undefined ? part : { sha256: file.sha256(), fault: file.fault };
  }
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
}
