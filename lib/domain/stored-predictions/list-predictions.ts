import type { PredictionRow } from "#lib/contract/scenario-series";
import type { AtLevels } from "#lib/domain/scenarios/chart-window";
import { readPredictions, requireComplete } from "#lib/domain/scenarios/chunks/read-predictions";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import type { Context } from "#lib/platform/context/context";
import { predictionRows } from "./prediction-rows.ts";

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
