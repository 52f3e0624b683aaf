import type { Context } from "#lib/context/context";
import type { PredictionChart, PredictionRow } from "#lib/contract/scenario-series";
import { findScenario, requireReady } from "#lib/domain/scenarios/find-scenario";
import { boundsAt } from "#lib/domain/scenarios/predictions/bounds-at";
import { predictionRows } from "#lib/domain/scenarios/predictions/prediction-rows";
import { predictionsCsv } from "#lib/domain/scenarios/predictions/predictions-csv";
import {
  readPredictedFrom,
  readPredictions,
  requireWhole,
} from "#lib/domain/scenarios/predictions/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/predictions/series-cache";
import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import { seriesBound } from "#lib/domain/scenarios/rules";
import { StoredInput } from "#lib/domain/scenarios/run/stored-input";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";
import { predictionChart } from "#lib/predictions/prediction-chart";
import { turnFor } from "./comparison/long-turns.ts";
import { runComparison } from "./comparison/run-comparison.ts";

type Ids = { projectId: string; scenarioId: string };

const ROWS_DEFAULT = 1_000;

/** @throws {DomainError} scenario_not_found, scenario_not_ready */
export async function findReadyScenario(ctx: Context, ids: Ids): Promise<ScenarioRow> {
  const row = await findScenario(ctx.db, ids);
  requireReady([row]);
  return row;
}

/**
 * A page of predictions, in the order of the input.
 *
 * @param after number of the row before the page; 0 for the first page
 * @returns the page, and the number of its last row where there are more
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function listPredictions(
  ctx: Context,
  {
    limit = ROWS_DEFAULT,
    after = 0,
    ...ids
  }: Ids & { limit?: number | undefined; after?: number | undefined },
): Promise<{ rows: PredictionRow[]; next: number | null }> {
  const { scenario } = await findReadyScenario(ctx, ids);
  const rowCount = scenario.rowCount ?? 0;
  const from = Math.min(after, rowCount);
  const to = Math.min(rowCount, from + limit);
  const series = await readPredictions(ctx.db, scenario.id, { from, to });
  requireWhole(series, to - from);
  return { rows: predictionRows(series, from + 1), next: to < rowCount ? to : null };
}

/** @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for an end that is none */
export async function chartPredictions(
  ctx: Context,
  { maxPoints, from, to, ...ids }: Ids & ChartWindow,
): Promise<PredictionChart> {
  const row = await findReadyScenario(ctx, ids);
  const { scenario } = row;
  using _turn = await turnFor([row], ctx.signal);
  const timed = scenario.firstTimestamp !== null;
  const options = chartOptions({ maxPoints, from, to }, timed);
  const points = await cachedPoints(ctx.db, scenario);
  return predictionChart(
    points,
    options,
    (rows) => boundsAt(ctx.db, scenario, rows),
    (scenarios, baselineId) => runComparison({ scenarios, baselineId, options, actuals: null }, ctx.signal),
  );
}

export type ChartWindow = {
  maxPoints?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** @throws {DomainError} validation_failed */
export function chartOptions(
  { maxPoints, from, to }: ChartWindow,
  timed: boolean,
): { maxPoints?: number; from?: number; to?: number } {
  const bounds = {
    ...(from === undefined ? {} : { from: seriesBound(from, timed) }),
    ...(to === undefined ? {} : { to: seriesBound(to, timed) }),
  };
  const details = boundFaults({ from, to }, bounds, timed);
  if (details[0] !== undefined) throw new DomainError("validation_failed", details[0].message, { details });
  return { ...(maxPoints === undefined ? {} : { maxPoints }), ...bounds };
}

function boundFaults(
  given: Pick<ChartWindow, "from" | "to">,
  bounds: { from?: number; to?: number },
  timed: boolean,
): ErrorDetail[] {
  const faults = (["from", "to"] as const).flatMap((field): ErrorDetail[] => {
    if (!Number.isNaN(bounds[field])) return [];
    const value = given[field]!;
    const message = timed
      ? `${field}: "${value}" is no time: write an ISO 8601 date or time.`
      : `${field}: "${value}" is no row number, and the series has no times.`;
    return [{ field, value, code: timed ? "not_a_time" : "not_a_row", message }];
  });
  const { from, to } = bounds;
  if (from === undefined || to === undefined || !(from > to)) return faults;
  return [{ field: "from", value: given.from, code: "after_to", message: "`from` must not be after `to`." }];
}

/**
 * Input and predictions as CSV, piece by piece. A scenario that is deleted in the midst of it ends it with an error.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function downloadPredictions(
  ctx: Context,
  ids: Ids,
): Promise<{ title: string; pieces: AsyncGenerator<string> }> {
  const { scenario } = await findReadyScenario(ctx, ids);
  const input = await StoredInput.open(scenario.inputKey!);
  const { rowCount } = input;
  const predictedFrom = async (from: number) => {
    // What was deleted since does not go on to be given out, although a job removes it only later.
    if (from > 0) await findScenario(ctx.db, ids);
    return readPredictedFrom(ctx.db, scenario.id, { from, rowCount });
  };
  return { title: scenario.title, pieces: predictionsCsv(input.parts(), predictedFrom) };
}
