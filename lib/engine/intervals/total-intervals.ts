import { INTERVAL_LEVEL, type IntervalShape } from "#lib/contract/interval-shape";
import type { Interval } from "#lib/contract/intervals";
import { wireNumber } from "#lib/engine/series/summary";
import { levelBounds } from "./levels.ts";
import { sumInflation } from "./shape.ts";

/** Sum of some predictions, their number, and the sum of their squared half widths at 90%. */
export type Total = { sum: number; count: number; squaredWidths: number };

/** Bounds of a sum at 90%. */
type SumBounds = { lower: number; upper: number };

/**
 * Returns the bounds of a sum at 90%; null without predictions, without intervals, or if the growth of sums is not known.
 */
export function sumBounds(
  { sum, count, squaredWidths }: Total,
  shape: IntervalShape | null,
): SumBounds | null {
  if (shape === null || count === 0 || !Number.isFinite(squaredWidths)) return null;
  const growth = growthOfSum(shape, count);
  if (growth === null) return null;
  const width = Math.sqrt(squaredWidths * growth);
  const least = shape.floor === null ? Number.NEGATIVE_INFINITY : shape.floor * count;
  return { lower: Math.max(sum - width, least), upper: sum + width };
}

/** Returns the variance of a sum as a multiple of that of independent errors; null if not known. */
function growthOfSum({ sumErrors, sumPower }: IntervalShape, count: number): number | null {
  if (sumErrors) return sumInflation(count, sumErrors);
  return sumPower === null ? null : count ** (2 * sumPower);
}

type TotalIntervals = { sumInterval: Interval | null; meanInterval: Interval | null };

/** Returns the intervals of a sum and of the mean at 90%. */
export function totalIntervals(total: Total, shape: IntervalShape | null): TotalIntervals {
  const bounds = sumBounds(total, shape);
  if (bounds === null) return { sumInterval: null, meanInterval: null };
  const sumInterval = interval(INTERVAL_LEVEL, bounds);
  return { sumInterval, meanInterval: perRow(sumInterval, total.count) };
}

/** Returns the intervals of a sum and of the mean at other levels, from that of the sum at 90%. */
export function totalLevels(
  levels: readonly number[],
  { sum, count }: Pick<Total, "sum" | "count">,
  { sumInterval, shape }: { sumInterval: Interval | null | undefined; shape: IntervalShape | null },
): { sumLevels: Interval[]; meanLevels: Interval[] } {
  if (!sumInterval || shape === null) return { sumLevels: [], meanLevels: [] };
  const ends = (value: number | null) => Float64Array.of(value ?? Number.NaN);
  const sumLevels = levelBounds(levels, {
    predictions: Float64Array.of(sum),
    lower: ends(sumInterval.lower),
    upper: ends(sumInterval.upper),
    shape: { ...shape, floor: shape.floor === null ? null : shape.floor * count },
  }).map(({ level, lower, upper }) => interval(level, { lower: lower[0]!, upper: upper[0]! }));
  return { sumLevels, meanLevels: sumLevels.map((one) => perRow(one, count)) };
}

function interval(level: number, { lower, upper }: SumBounds): Interval {
  return { level, lower: wireNumber(lower), upper: wireNumber(upper) };
}

function perRow({ level, lower, upper }: Interval, count: number): Interval {
  return { level, lower: lower && lower / count, upper: upper && upper / count };
}
