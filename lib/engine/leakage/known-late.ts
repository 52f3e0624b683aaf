import type { Column } from "#lib/contract/table";

/** Probability below which a run of empty cells at the end is not a coincidence. */
const COINCIDENCE = 1e-3;

/**
 * Returns the number of empty cells at the end of a column in time order, if its other gaps do not explain them; and the
 * last row with a value. Null otherwise, and for an empty column.
 */
export function newestGap(column: Column): { newestRows: number; last: number } | null {
  const isMissing =
    column.type === "category"
      ? (row: number) => column.codes[row]! < 0
      : (row: number) => Number.isNaN(column.values[row]!);
  const rowCount = column.type === "category" ? column.codes.length : column.values.length;
  let last = rowCount - 1;
  while (last >= 0 && isMissing(last)) last--;
  const newestRows = rowCount - 1 - last;
  if (last < 0 || newestRows === 0) return null;
  let missing = 0;
  for (let row = 0; row < last; row++) if (isMissing(row)) missing++;
  // Share of gaps in earlier rows, with one row of each kind added (Laplace).
  const share = (missing + 1) / (last + 2);
  return newestRows * Math.log(share) < Math.log(COINCIDENCE) ? { newestRows, last } : null;
}
