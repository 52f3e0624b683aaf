import type { RowWindow } from "./window.ts";

/**
 * Returns the points from the latest beginning to the earliest end of several series. Leaves out series that share no
 * point with the baseline, because one of them would leave nothing for the others. Returns null if no point is left.
 *
 * @param rowsOf row of each series at each point, or -1
 */
export function commonSpan(rowsOf: readonly Int32Array[], baselineIndex: number): RowWindow | null {
  const baseline = rowsOf[baselineIndex]!;
  let start = 0;
  let end = baseline.length;
  for (const rows of rowsOf) {
    if (rows !== baseline && !rows.some((row, point) => row !== -1 && baseline[point] !== -1)) continue;
    start = Math.max(
      start,
      rows.findIndex((row) => row !== -1),
    );
    end = Math.min(end, rows.findLastIndex((row) => row !== -1) + 1);
  }
  return start < end ? { start, end } : null;
}
