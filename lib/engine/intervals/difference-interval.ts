import { INTERVAL_LEVEL, INTERVAL_LEVELS } from "#lib/contract/interval-shape";
import type { Interval } from "#lib/contract/intervals";
import { type StoredTotals, sumBetween } from "./stored-totals.ts";

/** Stored totals of a scenario, and its rows to add up: from `from` up to, not including, `to`. */
type Side = { totals: StoredTotals; rows: { from: number; to: number } };

type DifferenceInterval = {
  totalDifferenceInterval: Interval;
  /** Highest level whose interval excludes 0; null if none does. */
  differsAtLevel: number | null;
};

/** Normal quantiles of two-sided intervals. */
const NORMAL: Record<number, number> = { 0.5: 0.67449, 0.8: 1.28155, 0.9: 1.64485, 0.95: 1.95996 };

/**
 * Returns the interval of the difference of two sums of predictions. Members are refits of the model on resampled rows.
 * Each member predicts both sums, so errors that the scenarios share cancel. The noise of the future is the same in both
 * and cancels too. Returns null without members, or if the two sides are cut into different cells of stored sums.
 *
 * @param difference the difference of the served predictions
 */
export function differenceInterval(
  difference: number,
  scenario: Side,
  baseline: Side,
): DifferenceInterval | null {
  const pairs = Math.min(scenario.totals.members.length, baseline.totals.members.length);
  const { every } = scenario.totals;
  const apart = scenario.rows.from - baseline.rows.from;
  if (pairs < 2 || baseline.totals.every !== every || apart % every !== 0) return null;
  const sumOf = ({ totals, rows }: Side, member: number) => sumBetween(totals.members[member]!, totals, rows);
  const differences = Array.from(
    { length: pairs },
    (_, member) => sumOf(scenario, member) - sumOf(baseline, member),
  );
  // Measured from the served difference, not from the members' mean: a deviation that all members share is uncertainty too.
  const variance = differences.reduce((sum, one) => sum + (one - difference) ** 2, 0) / (pairs - 1);
  if (!Number.isFinite(variance)) return null;
  const half = (level: number) => studentQuantile(level, pairs - 1) * Math.sqrt(variance);
  const width = half(INTERVAL_LEVEL);
  return {
    totalDifferenceInterval: { level: INTERVAL_LEVEL, lower: difference - width, upper: difference + width },
    differsAtLevel: INTERVAL_LEVELS.findLast((level) => Math.abs(difference) > half(level)) ?? null,
  };
}

/** Returns the quantile of Student's t for a two-sided interval (expansion of Fisher and Cornish 1960). */
export function studentQuantile(level: number, freedom: number): number {
  const z = NORMAL[level]!;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}
