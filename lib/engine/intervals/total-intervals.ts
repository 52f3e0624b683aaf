import { INTERVAL_LEVEL, type IntervalShape } from "#lib/contract/interval-shape";
import type { Interval } from "#lib/contract/intervals";
import { type CertainBounds, isCertain } from "#lib/engine/series/certain-rows";
import { RunningSum } from "#lib/engine/series/sum";
import { wireNumber } from "#lib/engine/series/summary";
import { levelBounds } from "./levels.ts";
import { sumInflation } from "./shape.ts";

/** Sum of some predictions, their number, and the sum of their squared half widths at 90%. */
export type Total = {
  sum: number;
  count: number;
  squaredWidths: number;
  /** Number of the values that are certain: actuals, and predictions that an override sets. They add no width. */
  certain?: number;
  /** Least value of the sum; by default that of the target, once per value. */
  least?: number | undefined;
};

/** Bounds of a sum at 90%. */
type SumBounds = { lower: number; upper: number };

/**
 * Returns the bounds of a sum at 90%; null without predictions, without intervals, or if the growth of sums is not known.
 */
export function sumBounds(total: Total, shape: IntervalShape | null): SumBounds | null {
  const { sum, count, squaredWidths, certain = 0 } = total;
  if (shape === null || count === certain || !Number.isFinite(squaredWidths)) return null;
  const growth = growthOfSum(shape, count - certain);
  if (growth === null) return null;
  const width = Math.sqrt(squaredWidths * growth);
  return { lower: Math.max(sum - width, leastOf(total, shape)), upper: sum + width };
}

const leastOf = ({ count, least }: Pick<Total, "count" | "least">, { floor }: IntervalShape): number =>
  least ?? (floor === null ? Number.NEGATIVE_INFINITY : floor * count);

/**
 * Adds up rows of a scenario. Overrides may set the values of some.
 *
 * @param rows predictions of all rows, and their bounds as `overrideBounds` returns them
 * @param from first row, from 0; `to` is behind the last one
 */
export function totalOfRows(
  { prediction, upper, floors }: RowsToTotal,
  { from, to }: { from: number; to: number },
): Total {
  const total = { sum: Number.NaN, count: 0, squaredWidths: 0, certain: 0, least: 0 };
  const sum = new RunningSum();
  for (let row = from; row < to; row++) {
    const value = prediction[row]!;
    if (Number.isNaN(value)) continue;
    sum.add(value);
    total.count++;
    const width = upper === null ? Number.NaN : upper[row]! - value;
    if (isCertain({ upper, floors }, row)) total.certain++;
    else total.squaredWidths += width ** 2;
    total.least += floors?.[row] ?? 0;
  }
  if (total.count > 0) total.sum = sum.value;
  const { least, ...rest } = total;
  return floors == null ? rest : { ...rest, least };
}

/** Adds the totals of two parts of a scenario, both with or both without least values. */
export const addTotals = (a: Total, b: Total): Total => ({
  sum: a.sum + b.sum,
  count: a.count + b.count,
  squaredWidths: a.squaredWidths + b.squaredWidths,
  certain: (a.certain ?? 0) + (b.certain ?? 0),
  ...(a.least !== undefined && b.least !== undefined && { least: a.least + b.least }),
});

type RowsToTotal = CertainBounds & { prediction: Float64Array };

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
  { sum, count, least }: Pick<Total, "sum" | "count" | "least">,
  { sumInterval, shape }: { sumInterval: Interval | null | undefined; shape: IntervalShape | null },
): { sumLevels: Interval[]; meanLevels: Interval[] } {
  if (!sumInterval || shape === null) return { sumLevels: [], meanLevels: [] };
  const ends = (value: number | null) => Float64Array.of(value ?? Number.NaN);
  const sumLevels = levelBounds(levels, {
    predictions: Float64Array.of(sum),
    lower: ends(sumInterval.lower),
    upper: ends(sumInterval.upper),
    floors: Float64Array.of(leastOf({ count, least }, shape)),
    shape,
  }).map(({ level, lower, upper }) => interval(level, { lower: lower[0]!, upper: upper[0]! }));
  return { sumLevels, meanLevels: sumLevels.map((one) => perRow(one, count)) };
}

function interval(level: number, { lower, upper }: SumBounds): Interval {
  return { level, lower: wireNumber(lower), upper: wireNumber(upper) };
}

function perRow({ level, lower, upper }: Interval, count: number): Interval {
  return { level, lower: lower && lower / count, upper: upper && upper / count };
}
