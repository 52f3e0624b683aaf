import { limits } from "#lib/contract/limits";
import type { ErrorDetail } from "#lib/platform/errors/domain-error";

type Place = { value: object; parent: Place | null; key: string | number };

/** A fault that is only counted. */
const unlisted: ErrorDetail = { code: "invalid_text", message: "" };
const fieldMax = 200;

/**
 * Every text in a parsed body or query that is none: with a NUL, which PostgreSQL cannot store, or with half of a
 * surrogate pair, which UTF-8 cannot write. JSON can spell both. Without recursion: a body may be nested as deeply as it
 * is long.
 */
export function textFaults(whole: unknown): ErrorDetail[] {
  const faults: ErrorDetail[] = [];
  const add = (parent: Place, key: string | number) =>
    faults.push(faults.length < limits.errorDetails ? textFault(parent, key) : unlisted);
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
  return faults;
}

const isText = (text: string) => !text.includes("\0") && text.isWellFormed();

function textFault(parent: Place, key: string | number): ErrorDetail {
  const field = fieldOf(parent, key);
  const subject = field === "" ? "The text" : field;
  const message = `${subject} holds a character that no text may hold: NUL, or half of a surrogate pair`;
  return { ...(field === "" ? {} : { field }), code: "invalid_text", message };
}

/** `adjustments.0.value`, as other faults name it, and not longer than one can read. */
function fieldOf(parent: Place, key: string | number): string {
  const names = [key];
  for (let place = parent; place.parent !== null; place = place.parent) names.push(place.key);
  // The outermost is the list of one that holds the whole.
  return names.reverse().slice(1).join(".").slice(0, fieldMax).toWellFormed().replaceAll("\0", "\uFFFD");
}
