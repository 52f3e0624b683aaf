import type { z } from "zod";
import type { ErrorDetailSchema } from "./common.ts";
import { limits } from "./limits.ts";

type ErrorDetail = z.infer<typeof ErrorDetailSchema>;

type Place = { value: object; parent: Place | null; key: string | number };

/** Issue that is counted but not listed. */
const unlisted: ErrorDetail = { code: "invalid_text", message: "" };
const fieldMax = 200;

/**
 * Returns an issue for every string in a parsed body, query or file that cannot be stored: with a NUL, which PostgreSQL
 * rejects, or with an unpaired surrogate, which UTF-8 cannot encode. JSON can spell both. Does not recurse, because a
 * body can be nested as deeply as it is long.
 */
export function textIssues(whole: unknown): ErrorDetail[] {
  const issues: ErrorDetail[] = [];
  const add = (parent: Place, key: string | number) =>
    issues.push(issues.length < limits.errorDetails ? textIssue(parent, key) : unlisted);
  const places: Place[] = [{ value: [whole], parent: null, key: "" }];
  for (const place of places) {
    const { value } = place;
    const names = Array.isArray(value) ? null : Object.keys(value);
    for (const name of names ?? []) if (!isText(name)) add(place, name);
    const items: unknown[] = names === null ? (value as unknown[]) : Object.values(value);
    for (let at = 0; at < items.length; at++) {
      const item = items[at];
      const key = names?.[at] ?? at;
      if (typeof item === "string" && !isText(item)) add(place, key);
      else if (typeof item === "object" && item !== null) places.push({ value: item, parent: place, key });
    }
  }
  return issues;
}

const isText = (text: string) => !text.includes("\0") && text.isWellFormed();

function textIssue(parent: Place, key: string | number): ErrorDetail {
  const field = fieldOf(parent, key);
  const subject = field === "" ? "The text" : field;
  const message = `${subject} contains a character that is not allowed: NUL or an unpaired surrogate`;
  return { ...(field === "" ? {} : { field }), code: "invalid_text", message };
}

/** Returns the field path as other issues write it, such as `adjustments.0.value`, cut to a readable length. */
function fieldOf(parent: Place, key: string | number): string {
  const names = [key];
  for (let place = parent; place.parent !== null; place = place.parent) names.push(place.key);
  // The outermost place is the list around the whole value.
  return names.reverse().slice(1).join(".").slice(0, fieldMax).toWellFormed().replaceAll("\0", "\uFFFD");
}
