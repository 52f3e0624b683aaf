import type { PredictionChart } from "#lib/contract/scenario-series";
import type { KnownTarget } from "#lib/domain/actuals/actuals-of";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { findReadyScenario, type ScenarioRef, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { boundsAt } from "#lib/domain/scenarios/predictions/bounds-at";
import { acquireSlot } from "#lib/domain/scenarios/predictions/long-series-slots";
import { predictionChart } from "#lib/domain/scenarios/predictions/prediction-chart";
import { cachedPoints } from "#lib/domain/scenarios/predictions/series-cache";
import { presentBuckets } from "#lib/engine/series/present-buckets";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { type BucketRequest, bucketingOf, upperBounds } from "./bucketing.ts";
import { runComparison } from "./series-tasks.ts";

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
  const { comparedActuals } = await import("./find-compared.ts");
  return comparedActuals(ctx, [row], row.scenario.id);
}
