import type { PredictionChart } from "#lib/contract/scenario-series";
import type { ComparedGroups } from "#lib/contract/series-groups";
import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import { type BucketRequest, bucketingOf, upperBounds } from "#lib/domain/comparison/bucketing";
import { compareGroups } from "#lib/domain/comparison/compare-groups";
import { runComparison } from "#lib/domain/comparison/series-tasks";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import type { Bounds, TimedPredictions } from "#lib/domain/scenarios/chunks/read-predictions";
import { findReadyScenario, type ScenarioRef, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { withoutOverrides } from "#lib/domain/scenarios/panel/effective-series";
import type { GroupPage, SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { boundsOfShown, readShown, type ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import { type ChartLevels, pointBounds } from "#lib/engine/intervals/point-bounds";
import type { ComparedScenarios, CompareOptions, ScenarioSeries } from "#lib/engine/series/compare-scenarios";
import { presentBuckets } from "#lib/engine/series/present-buckets";
import { wireNumbers } from "#lib/engine/series/summary";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";

/**
 * Returns the chart of a scenario's predictions, by row or aggregated. With many series: of the sum of the chosen ones, and of a
 * page of the groups if the query has `by`.
 *
 * @returns the chart, and the number of groups up to the end of the page if more follow
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed for an invalid `from`, `to`,
 *   `bucket` or choice of series
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
    limit,
    after,
    series,
    where,
    by,
    combine,
    weight,
    ...ids
  }: ScenarioRef & ChartWindow & BucketRequest & AtLevels & SeriesQuery & GroupPage,
): Promise<{ chart: PredictionChart; next: number | null }> {
  const row = await findReadyScenario(ctx, ids);
  const { scenario } = row;
  using _slot = await acquireSlot([row], ctx.signal);
  const timed = scenario.firstTimestamp !== null;
  const bucketing = await bucketingOf(ctx, [row], { bucket, aggregate });
  const options = {
    ...chartOptions({ maxPoints, from, to }, timed),
    ...(bucketing && { bucket: bucketing }),
  };
  const query = { series, where, by, combine, weight };
  const { shown, choice } = await readShown(ctx, [row], query);
  const calculated = await calculatedPoints(ctx, row, query);
  const [upper, actuals] = await settleAll([
    upperBounds(ctx, shown, bucketing),
    bucketing && combine !== "mean" ? actualsOf(ctx, shown[0]!) : null,
  ]);
  const { bucketed, compared, ...chart } = await predictionChart(
    { ...shown[0]!.points, ...upper[0]! },
    options,
    boundsOfShown(ctx, shown[0]!),
    (scenarios, baselineId) => runComparison({ scenarios, baselineId, options, actuals }, ctx.signal),
    { levels, shape: scenario.intervals },
    calculated,
  );
  const total = { ...chart, ...presentBuckets(bucketed, bucketing) };
  if (choice.by.length === 0) return { chart: total, next: null };
  const request = { by: choice.by, shown, baselineId: scenario.id, compared, options, levels };
  const { groups, next } = await compareGroups(ctx, { ...request, page: { limit, after } });
  return { chart: { ...total, groups: groups.map(withoutDifferences) }, next };
}

/** Reads the points without overrides; null if there are none. */
async function calculatedPoints(
  ctx: Context,
  row: ScenarioRow,
  query: SeriesQuery,
): Promise<TimedPredictions | null> {
  if (row.scenario.overrides.length === 0) return null;
  const { shown } = await readShown(ctx, [withoutOverrides(row)], query);
  return shown[0]!.points;
}

/** Leaves out the differences of a scenario from itself. */
const withoutDifferences = ({ series, ...group }: ComparedGroups[number]) => ({
  ...group,
  series: series.map(
    ({ differences: _, cumulative: __, totalDifference: ___, percentDifference: ____, ...one }) => one,
  ),
});

/** Finds the actuals. Imports the code on demand, because it opens models, which charts of rows do not need. */
async function actualsOf(ctx: Context, shown: ShownScenario): Promise<KnownTarget | null> {
  const { comparedActuals } = await import("#lib/domain/comparison/find-compared");
  return comparedActuals(ctx, [shown], shown.row.scenario.id);
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
 * points. `calculated` holds the points without overrides; null without any.
 */
export async function predictionChart(
  points: TimedPredictions & Pick<ScenarioSeries, "upper" | "floors">,
  options: Window,
  boundsAt: (rows: Int32Array) => Promise<Bounds>,
  compare: Compare,
  at: ChartLevels,
  calculated: TimedPredictions | null = null,
): Promise<PredictionChart & Pick<ComparedScenarios, "bucketed"> & { compared: ComparedScenarios }> {
  // Compares the series with itself, which gives the axis, window and downsampling of a comparison.
  const others = calculated ? [{ scenarioId: "calculated", ...calculated }] : [];
  const compared = await compare([{ scenarioId: "", ...points }, ...others], "", options);
  const { series, rowOf: _, pointCount, actual, spans: __, commonSpan: ___, sent: ____, ...axis } = compared;
  const { values } = series[0]!;
  return {
    rowCount: points.prediction.length,
    ...axis,
    values: wireNumbers(values),
    ...(calculated && { calculated: wireNumbers(series[1]!.values) }),
    ...(await pointBounds(compared, 0, boundsAt, { ...at, aggregate: options.bucket?.aggregate })),
    ...(compared.bucketed && { pointCount, actual: actual && wireNumbers(actual) }),
    compared,
  };
}
