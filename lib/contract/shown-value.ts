const SHOWN_CHARACTERS = 40;

/** Shows any JSON value in an error message, at most 40 characters of it. */
export function shownValue(value: unknown): string {
  // `String` throws for an object whose `toString` is no function.
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1)}…` : text;
  return shown.toWellFormed();
}
