import type { IntervalShape } from "#lib/contract/interval-shape";
import type { PredictionRow } from "#lib/contract/scenario-series";
import type { AtLevels } from "#lib/domain/scenarios/chart-window";
import {
  readPredictions,
  requireComplete,
  type StoredSeries,
} from "#lib/domain/scenarios/chunks/read-predictions";
import type { Rows } from "#lib/domain/scenarios/chunks/read-series";
import { findReadyScenario, type ScenarioRef, type ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { levelBounds } from "#lib/engine/intervals/levels";
import { wireNumber } from "#lib/engine/series/summary";
import type { Context } from "#lib/platform/context/context";

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
  { id, intervals: shape }: Scenario,
  { from, to, levels }: Rows & AtLevels,
): Promise<PredictionRow[]> {
  const series = await readPredictions(db, id, { from, to });
  requireComplete(series, to - from);
  return predictionRows(series, { firstRow: from + 1, levels, shape });
}

type RowOptions = {
  /** Number of the first row, counted from 1. */
  firstRow: number;
  levels?: readonly number[] | undefined;
  shape: IntervalShape | null;
};

/** Converts predictions to rows of the API. */
export function predictionRows(
  series: StoredSeries,
  { firstRow, levels = [], shape }: RowOptions,
): PredictionRow[] {
  const { timestamps, prediction, lower, upper } = series;
  const others = levelBounds(levels, { predictions: prediction, lower, upper, shape });
  return Array.from(prediction, (value, index) => ({
    row: firstRow + index,
    timestamp: instant(timestamps?.[index]),
    prediction: wireNumber(value),
    lower: wireNumber(lower?.[index] ?? Number.NaN),
    upper: wireNumber(upper?.[index] ?? Number.NaN),
    ...(levels.length > 0 && {
      levels: others.map((bounds) => ({
        level: bounds.level,
        lower: wireNumber(bounds.lower[index]!),
        upper: wireNumber(bounds.upper[index]!),
      })),
    }),
  }));
}

function instant(ms: number | undefined): string | null {
  return ms === undefined || Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
