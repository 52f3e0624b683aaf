import type { Interval } from "#lib/contract/intervals";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { differenceInterval } from "#lib/engine/intervals/difference-interval";
import type { StoredTotals } from "#lib/engine/intervals/stored-totals";

/** Rows of a scenario over a span, null if they are not consecutive, and its stored totals. */
type Side = { totals: StoredTotals | undefined; rows: Rows | null };

type DifferenceFields = { totalDifferenceInterval: Interval | null; differsAtLevel: number | null };

export const noDifferenceInterval: DifferenceFields = { totalDifferenceInterval: null, differsAtLevel: null };

/** Returns the interval of the difference of two scenarios' sums over the same points; null if it is not known. */
export function differenceBetween(
  difference: number | null,
  { totals: a, rows: own }: Side,
  { totals: b, rows: base }: Side,
): DifferenceFields {
  if (difference === null || !a || !b || own === null || base === null) return noDifferenceInterval;
  const interval = differenceInterval(difference, { totals: a, rows: own }, { totals: b, rows: base });
  return interval ?? noDifferenceInterval;
}
