import type { Column } from "#lib/contract/table";

const DAY_MS = 86_400_000;
const LAST_HOUR = 23;

/** Names of columns that hold hours or times of day. */
const hourName = /^(h|hr|hrs|hour|hours|time|stunde|uhrzeit|heure|hora|ora|hh)$|hour|time/i;
const timeOfDay = /^\d{1,2}:\d{2}(:\d{2})?$/;

/**
 * Returns the column that holds the hour or the time of day, if the days of the timestamp repeat and both columns
 * together occur only once; otherwise null.
 */
export function proposeHours(columns: readonly Column[], timestamp: string): string | null {
  const days = columns.find(({ name }) => name === timestamp);
  if (days?.type !== "timestamp" || days.values.some((at) => at % DAY_MS !== 0)) return null;
  const proposed = columns
    .filter((column) => column !== days && holdsHours(column) && isUnique(days.values, column))
    .map(({ name }) => name);
  return proposed.find((name) => hourName.test(name)) ?? proposed[0] ?? null;
}

function holdsHours(column: Column): boolean {
  if (column.type === "category") return column.categories.every((text) => timeOfDay.test(text.trim()));
  if (column.type !== "number") return false;
  return column.values.every((value) => Number.isInteger(value) && value >= 0 && value <= LAST_HOUR);
}

function isUnique(days: Float64Array, column: Column): boolean {
  const values = column.type === "category" ? column.codes : column.values;
  // Categories have at most one code per minute of a day, and hours are fewer.
  const seen = new Set<number>();
  for (let row = 0; row < days.length; row++) seen.add((days[row]! / DAY_MS) * 100_000 + values[row]!);
  return seen.size === days.length;
}
