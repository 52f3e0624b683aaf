import { AUTO_POINTS, type BucketRequest } from "#lib/domain/comparison/bucketing";
import { chartCsv } from "#lib/domain/comparison/buckets-csv";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { readPredictedFrom } from "#lib/domain/scenarios/chunks/read-predictions";
import { findReadyScenario, findScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { Context } from "#lib/platform/context/context";
import { chartPredictions } from "./chart-predictions.ts";
import { predictionsCsv } from "./predictions-csv.ts";

/**
 * Streams input and predictions from `from` to `to` as CSV, or predictions aggregated by `bucket`. `auto` may keep rows. If
 * the scenario is deleted during the download, the stream ends with an error.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed
 */
export async function downloadPredictions(
  ctx: Context,
  { bucket, aggregate, ...request }: ScenarioRef & ChartWindow & BucketRequest & AtLevels,
): Promise<{ title: string; pieces: AsyncGenerator<string> | Generator<string> }> {
  const { levels = [], from, to, ...ids } = request;
  const { scenario } = await findReadyScenario(ctx, ids);
  const { title, intervals: shape } = scenario;
  if (bucket !== undefined) {
    const maxPoints = bucket === "auto" ? AUTO_POINTS : undefined;
    const { buckets, ...chart } = await chartPredictions(ctx, { ...request, bucket, aggregate, maxPoints });
    if (buckets) return { title, pieces: chartCsv({ ...chart, buckets }) };
  }
  const timed = scenario.firstTimestamp !== null;
  const window = chartOptions({ from, to }, timed);
  const isTimed = timed && (from ?? to) !== undefined;
  const input = await StoredInput.open(scenario.inputKey!);
  const { rowCount } = input;
  const predictedFrom = async (row: number) => {
    // Stops if the scenario has been deleted, even before the deletion job removes its rows.
    if (row > 0) await findScenario(ctx.db, ids);
    return readPredictedFrom(ctx.db, scenario.id, { from: row, rowCount, isTimed });
  };
  return { title, pieces: predictionsCsv(input.parts(), predictedFrom, { levels, shape }, window) };
}
