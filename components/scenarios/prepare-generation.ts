import { stepAfter } from "#components/form/try-values.ts";
import type { Dataset } from "#lib/contract/datasets";

/** As many rows as the service generates at once. */
export const maxGeneratedRows = 100_000;

export type Generation =
  | { state: "open" }
  | { state: "too early" | "too long" }
  /** `share`: how much of the time from the first row to the end is generated, 0 to 1. */
  | { state: "ready"; rows: number; share: number; from: string; to: string };

/**
 * What would be generated up to the end of a day.
 *
 * @param endDate as a form gives it, `2026-12-31`; empty: not chosen yet
 */
export function prepareGeneration(
  {
    firstTimestamp,
    lastTimestamp,
    frequency,
  }: Pick<Dataset, "firstTimestamp" | "lastTimestamp" | "frequency">,
  endDate: string,
): Generation {
  if (endDate === "" || !firstTimestamp || !lastTimestamp || !frequency) return { state: "open" };
  const end = Date.parse(`${endDate}T23:59:59Z`);
  let rows = 0;
  let last = lastTimestamp;
  let from: string | null = null;
  for (let next = stepAfter(last, frequency); next !== null && Date.parse(next) <= end; ) {
    // A step of nothing would never end.
    if (Date.parse(next) <= Date.parse(last)) return { state: "open" };
    rows += 1;
    if (rows > maxGeneratedRows) return { state: "too long" };
    from ??= next;
    last = next;
    next = stepAfter(last, frequency);
  }
  if (from === null) return { state: "too early" };
  const span = Date.parse(last) - Date.parse(firstTimestamp);
  return {
    state: "ready",
    rows,
    share: (Date.parse(last) - Date.parse(lastTimestamp)) / span,
    from,
    to: last,
  };
}
