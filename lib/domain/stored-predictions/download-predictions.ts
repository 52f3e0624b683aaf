import type { Table } from "#lib/contract/table";
import { AUTO_POINTS, type BucketRequest } from "#lib/domain/comparison/bucketing";
import { chartTable } from "#lib/domain/comparison/buckets-table";
import { groupedChartTable } from "#lib/domain/comparison/groups-table";
import { type AtLevels, type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { findReadyScenario, findScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { readEffectiveFrom } from "#lib/domain/scenarios/panel/effective-series";
import type { SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { rowFilter } from "#lib/domain/scenarios/panel/row-filter";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import type { Context } from "#lib/platform/context/context";
import { chartPredictions } from "./chart-predictions.ts";
import { predictionsTable } from "./predictions-table.ts";

/**
 * Returns input and predictions from `from` to `to` as a table in parts, or predictions aggregated by `bucket`. `auto` may keep rows. With many
 * series: the rows of the chosen ones, or sums of each group if the query has `by`. If the scenario is deleted during the
 * download, the parts end with an error.
 *
 * @throws {DomainError} scenario_not_found, run_not_found, scenario_not_ready, series_not_found, validation_failed
 */
export async function downloadPredictions(
  ctx: Context,
  {
    bucket,
    aggregate,
    series,
    where,
    by,
    combine,
    weight,
    ...request
  }: ScenarioRef & ChartWindow & BucketRequest & AtLevels & SeriesQuery,
): Promise<{ title: string; parts: AsyncGenerator<Table> | Generator<Table> }> {
  const { levels = [], from, to } = request;
  const row = await findReadyScenario(ctx, request);
  const { scenario } = row;
  // All parts of the download read the same run, also if another one completes meanwhile.
  const ids = { projectId: request.projectId, scenarioId: request.scenarioId, run: scenario.runId };
  const { title, intervals: shape } = scenario;
  const choice = { series, where, by, combine, weight };
  const maxPoints = bucket === "auto" ? AUTO_POINTS : request.maxPoints;
  const query = { ...request, ...ids, asOf: undefined, ...choice, bucket, aggregate, maxPoints };
  if (by !== undefined) {
    return { title, parts: groupedChartTable(by, (page) => chartPredictions(ctx, { ...query, ...page })) };
  }
  if (bucket !== undefined) {
    const { buckets, ...chart } = (await chartPredictions(ctx, query)).chart;
    if (buckets) return { title, parts: chartTable({ ...chart, buckets }) };
  }
  const isRow = await rowFilter(ctx, row, choice);
  const timed = scenario.firstTimestamp !== null;
  const window = chartOptions({ from, to }, timed);
  const isTimed = timed && (from ?? to) !== undefined;
  const input = await StoredInput.open(scenario.inputKey!);
  const { rowCount } = input;
  const predictedFrom = async (row: number) => {
    // Stops if the scenario has been deleted, even before the deletion job removes its rows.
    if (row > 0) await findScenario(ctx.db, ids);
    return readEffectiveFrom(ctx.db, scenario, { from: row, rowCount, isTimed });
  };
  return { title, parts: predictionsTable(input.parts(), predictedFrom, { levels, shape }, window, isRow) };
}
