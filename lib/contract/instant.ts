/** Parses a `DateOrInstant` of the wire format to epoch milliseconds. A date, or a time without a zone, is in UTC. */
export function instantOf(text: string): number {
  return Date.parse(/^\d{4}-\d{2}-\d{2}$|(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`);
}
