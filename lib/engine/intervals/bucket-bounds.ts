import type { Aggregate } from "#lib/contract/buckets";
import { INTERVAL_LEVEL, type IntervalShape } from "#lib/contract/interval-shape";
import { levelBounds } from "./levels.ts";
import { sumBounds } from "./total-intervals.ts";

/** Sums or means of predictions, with the number of rows of each and the sum of their squared half widths at 90%. */
type BucketTotals = {
  aggregate: Exclude<Aggregate, "last">;
  values: Float64Array;
  counts: Int32Array;
  /** NaN where not known. */
  squares: Float64Array;
  /** For a scenario with overrides: the number of values that they set, and the sum of the least values. */
  overridden?: { certain: Int32Array; least: Float64Array } | null | undefined;
};

type BucketBounds = { lower: Float64Array; upper: Float64Array };

/** Returns the bounds of sums or means at 90%; NaN where they are not known. */
export function bucketBounds(
  { aggregate, values, counts, squares, overridden }: BucketTotals,
  shape: IntervalShape | null,
): BucketBounds {
  const lower = new Float64Array(values.length).fill(Number.NaN);
  const upper = new Float64Array(values.length).fill(Number.NaN);
  for (let at = 0; at < values.length; at++) {
    const count = counts[at]!;
    const isSum = aggregate === "sum";
    const sum = isSum ? values[at]! : values[at]! * count;
    const moved = overridden && { certain: overridden.certain[at]!, least: overridden.least[at]! };
    const bounds = sumBounds({ sum, count, squaredWidths: squares[at]!, ...moved }, shape);
    if (bounds === null) continue;
    lower[at] = isSum ? bounds.lower : bounds.lower / count;
    upper[at] = isSum ? bounds.upper : bounds.upper / count;
  }
  return { lower, upper };
}

/** Returns the bounds of sums or means at other levels, from those at 90%. */
export function bucketLevels(
  levels: readonly number[],
  { aggregate, values, counts, overridden }: Omit<BucketTotals, "squares">,
  { lower, upper }: BucketBounds,
  shape: IntervalShape | null,
): ({ level: number } & BucketBounds)[] {
  const floors = overridden?.least.map((least, at) => least / counts[at]!);
  if (aggregate === "mean") return levelBounds(levels, { predictions: values, lower, upper, floors, shape });
  // The bounds and the floor of a sum are those of the mean times the number of rows.
  const perRow = (sums: Float64Array) => sums.map((sum, at) => sum / counts[at]!);
  const inTotal = (means: Float64Array) => means.map((mean, at) => mean * counts[at]!);
  return levelBounds(levels, {
    predictions: perRow(values),
    lower: perRow(lower),
    upper: perRow(upper),
    floors,
    shape,
  }).map(({ level, ...means }) =>
    level === INTERVAL_LEVEL
      ? { level, lower, upper }
      : { level, lower: inTotal(means.lower), upper: inTotal(means.upper) },
  );
}
