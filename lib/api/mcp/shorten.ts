/** Characters of an answer that a model reads with little effort. */
export const ANSWER_CHARACTERS = 8_000;

const LENGTHS = [200, 100, 50, 25, 12, 6, 3, 1];

/**
 * Shortens lists and texts until the value has few enough characters as JSON. A shortened list ends with the number of entries
 * that are left out.
 */
export function shorten(value: object, characters: number = ANSWER_CHARACTERS): Record<string, unknown> {
  let shortened = cut(value, LENGTHS[0]!);
  for (const length of LENGTHS) {
    shortened = cut(value, length);
    if (JSON.stringify(shortened).length <= characters) break;
  }
  return shortened as Record<string, unknown>;
}

function cut(value: unknown, length: number): unknown {
  if (typeof value === "string")
    return value.length <= 20 * length ? value : `${value.slice(0, 20 * length)}…`;
  if (Array.isArray(value)) {
    const kept = value.slice(0, length).map((one) => cut(one, length));
    return value.length <= length ? kept : [...kept, `… ${value.length - length} more`];
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, cut(one, length)]);
  return Object.fromEntries(
    entries.length <= 10 * length
      ? entries
      : [...entries.slice(0, 10 * length), ["…", `${entries.length - 10 * length} more`]],
  );
}
