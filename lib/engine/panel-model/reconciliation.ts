/**
 * Corrects forecasts of series by forecasts of their totals. Many series hide what their total shows: for example, each of 50
 * shops seems level, but their total clearly rises, so its own forecast is 105 where those of the shops add up to 100. The
 * difference is divided between the shops in proportion to the variances of their errors, because the least certain forecast
 * is the most likely to be wrong. The corrected forecasts still add up, because totals remain sums of series.
 */
export type Reconciliation = {
  /** Grid index of the first step with a correction. */
  from: number;
  /** Number of steps, and the length of the season that later steps repeat; 1 to repeat the last step. */
  steps: number;
  season: number;
  /** Changes of the remainder: one row of steps for each series. */
  corrections: Float64Array;
};

/** Returns what to add to the forecast of a series' remainder at a grid index; 0 before the first step. */
export function correctionOf(
  { from, steps, season, corrections }: Reconciliation,
  place: number,
  index: number,
): number {
  const step = index - from;
  if (!(step >= 0)) return 0;
  const period = Math.min(season, steps);
  const at = step < steps ? step : steps - period + ((step - steps) % period);
  return corrections[place * steps + at]!;
}
