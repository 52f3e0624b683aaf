import type { PredictionChart } from "#lib/contract/scenario-series";
import { type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { findReadyScenario } from "#lib/domain/scenarios/find-scenario";
import { boundsAt } from "#lib/domain/scenarios/predictions/bounds-at";
import { acquireSlot } from "#lib/domain/scenarios/predictions/long-series-slots";
import { predictionChart } from "#lib/domain/scenarios/predictions/prediction-chart";
import { cachedPoints } from "#lib/domain/scenarios/predictions/series-cache";
import type { Context } from "#lib/platform/context/context";
import { runComparison } from "./run-comparison.ts";

type Ids = { projectId: string; scenarioId: string };

/** @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for an invalid `from` or `to` */
export async function chartPredictions(
  ctx: Context,
  { maxPoints, from, to, levels, ...ids }: Ids & ChartWindow & { levels?: readonly number[] | undefined },
): Promise<PredictionChart> {
  const row = await findReadyScenario(ctx, ids);
  const { scenario } = row;
  using _slot = await acquireSlot([row], ctx.signal);
  const timed = scenario.firstTimestamp !== null;
  const options = chartOptions({ maxPoints, from, to }, timed);
  const points = await cachedPoints(ctx.db, scenario);
  return predictionChart(
    points,
    options,
    (rows) => boundsAt(ctx.db, scenario, rows),
    (scenarios, baselineId) => runComparison({ scenarios, baselineId, options, actuals: null }, ctx.signal),
    { levels, shape: scenario.intervals },
  );
}
