/**
 * Half width at 90% of a sum over series at one time. Errors of series have a part that all share, such as the weather, and a
 * part of their own, which averages out.
 *
 * For example, 100 series with the half width 5 each: with own errors only, their sum has √100 × 5 = 50; with shared errors
 * only, 100 × 5 = 500; if a tenth of the variance is shared, √(.9 × 50² + .1 × 500²) = 165.
 *
 * @param widths sum of the half widths of the series' rows at the time
 * @param squares sum of their squares
 * @param shared correlation of the errors of two series (`IntervalShape.sharedBySeries`)
 */
export function seriesSumWidth(
  { widths, squares }: { widths: number; squares: number },
  shared: number,
): number {
  return Math.sqrt((1 - shared) * squares + shared * widths ** 2);
}

/** Correlations that are tried. */
const SHARED = Array.from({ length: 51 }, (_, i) => i / 50);

/** Errors of sums over series, with the sums of the half widths of their rows. */
export type SumError = { error: number; widths: number; squares: number };

/**
 * Fits the correlation of the errors of series: the smallest one at which the intervals of sums hold the wanted share of their
 * errors, on the mean over levels. Sums of few series matter as much as the total, which has few errors.
 *
 * @param levels errors of the sums of each level
 */
export function fitSharedErrors(levels: readonly (readonly SumError[])[], wanted: number): number {
  const some = levels.filter((errors) => errors.length > 0);
  if (some.length === 0) return 0;
  const held = (shared: number) =>
    some.reduce((sum, errors) => {
      const inside = errors.filter((one) => Math.abs(one.error) <= seriesSumWidth(one, shared));
      return sum + inside.length / errors.length / some.length;
    }, 0);
  return SHARED.find((shared) => held(shared) >= wanted) ?? 1;
}
