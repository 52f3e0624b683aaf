import type { PredictionChart } from "#lib/contract/scenario-series";
import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import { type BucketRequest, bucketingOf, upperBounds } from "#lib/domain/comparison/bucketing";
import { runComparison } from "#lib/domain/comparison/series-tasks";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { boundsAt } from "#lib/domain/scenarios/chunks/bounds-at";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import type { Bounds, TimedPredictions } from "#lib/domain/scenarios/chunks/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import { findReadyScenario, type ScenarioRef, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { type ChartLevels, pointBounds } from "#lib/engine/intervals/point-bounds";
import type { ComparedScenarios, CompareOptions, ScenarioSeries } from "#lib/engine/series/compare-scenarios";
import { presentBuckets } from "#lib/engine/series/present-buckets";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";

/**
 * Returns the chart of a scenario's predictions, by row or aggregated.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for an invalid `from`, `to` or `bucket`
 */
export async function chartPredictions(
  ctx: Context,
  {
    maxPoints,
    from,
    to,
    levels,
    bucket,
    aggregate,
    ...ids
  }: ScenarioRef & ChartWindow & BucketRequest & AtLevels,
): Promise<PredictionChart> {
  const row = await findReadyScenario(ctx, ids);
  const { scenario } = row;
  using _slot = await acquireSlot([row], ctx.signal);
  const timed = scenario.firstTimestamp !== null;
  const bucketing = await bucketingOf(ctx, [row], { bucket, aggregate });
  const options = {
    ...chartOptions({ maxPoints, from, to }, timed),
    ...(bucketing && { bucket: bucketing }),
  };
  const [points, [upper], actuals] = await settleAll([
    cachedPoints(ctx.db, scenario),
    upperBounds(ctx, [row], bucketing),
    bucketing ? actualsOf(ctx, row) : null,
  ]);
  const { bucketed, ...chart } = await predictionChart(
    { ...points, upper: upper ?? null },
    options,
    (rows) => boundsAt(ctx.db, scenario, rows),
    (scenarios, baselineId) => runComparison({ scenarios, baselineId, options, actuals }, ctx.signal),
    { levels, shape: scenario.intervals },
  );
  return { ...chart, ...presentBuckets(bucketed, bucketing) };
}

/** Finds the actuals. Imports the code on demand, because it opens models, which charts of rows do not need. */
async function actualsOf(ctx: Context, row: ScenarioRow): Promise<KnownTarget | null> {
  const { comparedActuals } = await import("#lib/domain/comparison/find-compared");
  return comparedActuals(ctx, [row], row.scenario.id);
}

type Window = Pick<CompareOptions, "maxPoints" | "from" | "to" | "bucket">;

/** Compares series as `compareScenarios` does, possibly in a worker thread. */
type Compare = (
  series: ScenarioSeries[],
  baselineId: string,
  options: Window,
) => ComparedScenarios | Promise<ComparedScenarios>;

/**
 * Returns at most `maxPoints` chart points in ascending time order. Downsampling keeps the extremes. `from` and `to` are
 * inclusive: epoch milliseconds, or row numbers from 1 for a series without times. `boundsAt` reads the bounds of the chart
 * points.
 */
export async function predictionChart(
  points: TimedPredictions & Pick<ScenarioSeries, "upper">,
  options: Window,
  boundsAt: (rows: Int32Array) => Promise<Bounds>,
  compare: Compare,
  at: ChartLevels,
): Promise<PredictionChart & Pick<ComparedScenarios, "bucketed">> {
  // Compares the series with itself, which gives the axis, window and downsampling of a comparison.
  const compared = await compare([{ scenarioId: "", ...points }], "", options);
  const { series, rowOf: _, pointCount, actual, spans: __, commonSpan: ___, ...axis } = compared;
  const { values } = series[0]!;
  return {
    rowCount: points.prediction.length,
    ...axis,
    values,
    ...(await pointBounds(compared, 0, boundsAt, { ...at, aggregate: options.bucket?.aggregate })),
    ...(compared.bucketed && { pointCount, actual }),
  };
}
