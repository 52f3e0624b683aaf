import type { PanelRows } from "./panel-rows.ts";
import { sumGroups, totalsOfGroups } from "./sum-series.ts";

// The mean of series at a time is the sum of their values times their shares, which add up to one. So a mean is read as a sum of scaled
// rows, and its bounds are those of that sum. For example, A with 2 and weight 3, and B with 6 and weight 1, have the shares .75 and .25
// and the mean 3. If both have half widths of 1 and independent errors, the mean has sqrt(.75² + .25²) = .79.

/** Weights of all rows of a panel. Null: each series counts once. */
export type Weights = Float64Array | null;

/** Returns whether a row counts: if it has a weight above zero. */
export const hasWeight = (weights: Weights, row: number): boolean => weights === null || weights[row]! > 0;

/** Returns the weight of each row that counts; NaN for a row without a value, and without a weight above zero. */
const weightsOf = (values: Float64Array, weights: Weights): Float64Array =>
  values.map((value, row) =>
    Number.isNaN(value) || !hasWeight(weights, row) ? Number.NaN : (weights?.[row] ?? 1),
  );

/**
 * Returns the share of each row in the mean of its group at its time; NaN for a row that does not count.
 *
 * @param groupOf group of each series, from 0; -1: none
 */
export function meanShares(
  panel: PanelRows,
  values: Float64Array,
  groupOf: Int32Array,
  { count, weights }: { count: number; weights: Weights },
): Float64Array {
  const { ofRow, timeOf, times } = panel;
  const own = weightsOf(values, weights);
  const sums = sumGroups(panel, own, groupOf, { count, places: Int32Array.from(times.keys()) });
  return own.map((weight, row) => {
    const group = groupOf[ofRow[row]!]!;
    return group === -1 ? Number.NaN : weight / sums[group]![timeOf[row]!]!;
  });
}

/** Multiplies each row by its share. */
export const scaleRows = (values: Float64Array, shares: Float64Array): Float64Array =>
  values.map((value, row) => value * shares[row]!);

/** Returns the mean of all rows of each group from one time to another, both inclusive (epoch milliseconds). */
export function meansOfGroups(
  panel: PanelRows,
  values: Float64Array,
  groupOf: Int32Array,
  { weights, ...range }: { count: number; from: number; to: number; weights: Weights },
): Float64Array {
  const own = weightsOf(values, weights);
  const sums = totalsOfGroups(panel, scaleRows(values, own), groupOf, range);
  const weight = totalsOfGroups(panel, own, groupOf, range);
  return sums.map((sum, group) => sum / weight[group]!);
}
