import type { PredictionRow } from "#lib/contract/scenario-series";
import { predictionRows } from "#lib/domain/scenarios/predictions/prediction-rows";
import { predictionsCsv } from "#lib/domain/scenarios/predictions/predictions-csv";
import {
  readPredictedFrom,
  readPredictions,
  requireComplete,
} from "#lib/domain/scenarios/predictions/read-predictions";
import type { Context } from "#lib/platform/context/context";
import { type AtLevels, type ChartWindow, chartOptions } from "./chart-window.ts";
import { findReadyScenario, findScenario, type ScenarioRef } from "./find-scenario.ts";
import { StoredInput } from "./run/stored-input.ts";

const ROWS_DEFAULT = 1_000;

/**
 * Lists a page of predictions in the order of the input.
 *
 * @param after number of the row before the page; 0 for the first page
 * @returns the page, and the number of its last row if more rows follow
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function listPredictions(
  ctx: Context,
  {
    limit = ROWS_DEFAULT,
    after = 0,
    levels,
    ...ids
  }: ScenarioRef & { limit?: number | undefined; after?: number | undefined } & AtLevels,
): Promise<{ rows: PredictionRow[]; next: number | null }> {
  const { scenario } = await findReadyScenario(ctx, ids);
  const rowCount = scenario.rowCount ?? 0;
  const from = Math.min(after, rowCount);
  const to = Math.min(rowCount, from + limit);
  const series = await readPredictions(ctx.db, scenario.id, { from, to });
  requireComplete(series, to - from);
  return {
    rows: predictionRows(series, { firstRow: from + 1, levels, shape: scenario.intervals }),
    next: to < rowCount ? to : null,
  };
}

/**
 * Streams input and predictions from `from` to `to` as CSV. If the scenario is deleted during the download, the stream ends
 * with an error.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for an invalid `from` or `to`
 */
export async function downloadPredictions(
  ctx: Context,
  { levels = [], from, to, ...ids }: ScenarioRef & AtLevels & Pick<ChartWindow, "from" | "to">,
): Promise<{ title: string; pieces: AsyncGenerator<string> }> {
  const { scenario } = await findReadyScenario(ctx, ids);
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
  return {
    title: scenario.title,
    pieces: predictionsCsv(input.parts(), predictedFrom, { levels, shape: scenario.intervals }, window),
  };
}
