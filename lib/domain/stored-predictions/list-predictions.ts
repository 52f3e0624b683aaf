import type { PredictionRow } from "#lib/contract/scenario-series";
import type { AtLevels } from "#lib/domain/scenarios/chart-window";
import { requireComplete } from "#lib/domain/scenarios/chunks/read-predictions";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { findReadyScenario, type ScenarioRef, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { readEffective } from "#lib/domain/scenarios/panel/effective-series";
import type { SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import type { Context } from "#lib/platform/context/context";
import { listPanelRows } from "./list-panel-rows.ts";
import { predictionRows } from "./prediction-rows.ts";

const ROWS_DEFAULT = 1_000;

/**
 * Lists a page of predictions in the order of the input: of all rows, or of those of the chosen series.
 *
 * @param after number of the row before the page; 0 for the first page
 * @returns the page, and the number of its last row if more rows follow
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed for an invalid choice
 */
export async function listPredictions(
  ctx: Context,
  {
    limit = ROWS_DEFAULT,
    after = 0,
    levels,
    series,
    where,
    ...ids
  }: ScenarioRef & { limit?: number | undefined; after?: number | undefined } & AtLevels & SeriesQuery,
): Promise<{ rows: PredictionRow[]; next: number | null }> {
  const row = await findReadyScenario(ctx, ids);
  const { scenario } = row;
  // One more row shows whether another page follows.
  const panel = await listPanelRows(ctx, row, { limit: limit + 1, after, levels, series, where });
  if (panel !== null) {
    const rows = panel.rows.slice(0, limit);
    return { rows, next: panel.rows.length > limit ? rows.at(-1)!.row : null };
  }
  const page = pageOf(scenario, after, limit);
  const rows = await predictedPage(ctx, scenario, { ...page, levels });
  return { rows, next: page.to < (scenario.rowCount ?? 0) ? page.to : null };
}

type Scenario = ScenarioRow["scenario"];

/** Returns the rows, counted from 0, of at most `limit` rows after the first `after`. */
export function pageOf({ rowCount }: Pick<Scenario, "rowCount">, after: number, limit: number): Rows {
  const from = Math.min(after, rowCount ?? 0);
  return { from, to: Math.min(rowCount ?? 0, from + limit) };
}

/**
 * Reads the predictions of a page.
 *
 * @throws {DomainError} scenario_not_found if the scenario was deleted during the request
 */
export async function predictedPage(
  { db }: Context,
  scenario: Scenario,
  { from, to, levels }: Rows & AtLevels,
): Promise<PredictionRow[]> {
  const series = await readEffective(db, scenario, { from, to });
  requireComplete(series, to - from);
  return predictionRows(series, { levels, shape: scenario.intervals }, (index) => ({
    row: from + index + 1,
  }));
}
