import { formatNumber } from "#components/ui/format.ts";
import type { RowValue } from "#lib/contract/dataset-versions";

const MIDNIGHT = "T00:00:00.000Z";

/** Writes an instant in UTC, without the time of day at midnight. */
const timeText = (time: string) =>
  time
    .replace(MIDNIGHT, "")
    .replace("T", " ")
    .replace(/(:00)?\.000Z$/, "");

/** Writes a stored value; an empty text for a missing one. */
export function valueText(value: RowValue): string {
  if (value === null) return "";
  if (typeof value === "number") return formatNumber(value);
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return timeText(value);
  return String(value);
}

export const rowTime = (row: number, time: string | null) => (time === null ? `${row}` : timeText(time));
