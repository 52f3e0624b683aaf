/** Parses a `DateOrInstant` of the wire format to epoch milliseconds. A date, or a time without a zone, is in UTC. */
export function instantOf(text: string): number {
  return Date.parse(/^\d{4}-\d{2}-\d{2}$|(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
}

/** Returns a `DateOrInstant` as a response repeats it: a time in UTC with `Z`. A date, and a time with `Z`, stay as they are. */
export function inUtc(text: string): string {
  const instant = /^\d{4}-\d{2}-\d{2}$|Z$/.test(text) ? Number.NaN : instantOf(text);
  return Number.isNaN(instant) ? text : new Date(instant).toISOString();
}
