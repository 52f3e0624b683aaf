import type { Aggregate } from "#lib/contract/buckets";
import type { IntervalShape } from "#lib/contract/interval-shape";
import type { LevelBounds } from "#lib/contract/intervals";
import type { PredictionChart } from "#lib/contract/scenario-series";
import type { ComparedScenarios } from "#lib/engine/series/compare-scenarios";
import { wireNumbers } from "#lib/engine/series/summary";
import { bucketBounds, bucketLevels } from "./bucket-bounds.ts";
import { presentLevels } from "./levels.ts";

/** Bounds at 90% of each requested row; null without intervals, NaN for a row without bounds. */
type Bounds = { lower: Float64Array | null; upper: Float64Array | null; floors?: Float64Array | undefined };

export type ChartLevels = { levels?: readonly number[] | undefined; shape: IntervalShape | null };

type PointBounds = Pick<PredictionChart, "lower" | "upper" | "levels" | "rowCounts">;

/**
 * Returns the intervals of a series' points for the API. `boundsAt` reads those of rows and of last values; those of sums
 * and means are computed. For buckets, also returns their numbers of rows.
 */
export async function pointBounds(
  { series, rowOf, bucketed }: Pick<ComparedScenarios, "series" | "rowOf" | "bucketed">,
  index: number,
  boundsAt: (rows: Int32Array) => Bounds | Promise<Bounds>,
  { levels, shape, aggregate }: ChartLevels & { aggregate: Aggregate | undefined },
): Promise<PointBounds> {
  const { values } = series[index]!;
  const counts = bucketed?.counts[index];
  const rowCounts = counts && { rowCounts: Array.from(counts) };
  if (!bucketed || !counts || aggregate === undefined || aggregate === "last") {
    const bounds = await boundsAt(rowOf[index]!);
    return {
      ...wireBounds(bounds, values.length),
      ...wireLevels(bounds, values, { levels, shape }),
      ...rowCounts,
    };
  }
  const [squares, overridden] = [bucketed.squares[index]!, bucketed.overridden[index]];
  const totals = { aggregate, values, counts, squares, overridden };
  const bounds = bucketBounds(totals, shape);
  return {
    ...wireBounds(bounds, values.length),
    ...(levels && {
      levels: bucketLevels(levels, totals, bounds, shape).map(({ level, lower, upper }) => ({
        level,
        lower: wireNumbers(lower),
        upper: wireNumbers(upper),
      })),
    }),
    ...rowCounts,
  };
}

/** Converts bounds for the API. Missing bounds become `length` nulls. */
export function wireBounds(
  { lower, upper }: Bounds,
  length: number,
): { lower: (number | null)[]; upper: (number | null)[] } {
  const wire = (values: Float64Array | null) =>
    values === null ? new Array<null>(length).fill(null) : wireNumbers(values);
  return { lower: wire(lower), upper: wire(upper) };
}

/** Computes the requested levels of these values for the API. */
export function wireLevels(
  bounds: Bounds,
  predictions: Float64Array,
  { levels, shape }: ChartLevels,
): { levels?: LevelBounds[] } {
  if (levels === undefined) return {};
  return { levels: presentLevels(levels, { predictions, ...bounds, shape }) };
}
