import { limits } from "#lib/contract/limits";
import type { OutlookPeriod, OutlookUnit } from "#lib/contract/outlook";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { type ChartWindow, chartOptions } from "#lib/domain/scenarios/chart-window";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import { findReadyScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { effectiveBounds } from "#lib/domain/scenarios/panel/effective-series";
import type { SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { type ChosenPanel, readShown, type ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import { calendarGrid } from "#lib/engine/series/buckets";
import type { Context } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { runActualsTask } from "./actuals-tasks.ts";
import { findKnownValues } from "./find-known-values.ts";
import type { OutlookRequest } from "./outlook-periods.ts";

/** Cost of a row, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const COST_PER_ROW = 4;
/** Intervals of longer scenarios are not computed, because all of their bounds would take too much memory. */
const BOUNDED_ROWS_MAX = 2_000_000;

/**
 * Returns the actual values to date and the forecast of the rest by calendar period: by default of the periods of the scenario's rows,
 * whose earlier times may have actual values only. With many series: of the sum of the chosen ones.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed for a scenario without times, an
 *   invalid `from`, `to` or choice of series, and too many periods
 */
export async function scenarioOutlook(
  ctx: Context,
  {
    projectId,
    scenarioId,
    period: unit,
    series,
    where,
    run,
    asOf,
    ...window
  }: ScenarioRef &
    Pick<ChartWindow, "from" | "to"> &
    Pick<SeriesQuery, "series" | "where"> & {
      period: OutlookUnit;
    },
): Promise<OutlookPeriod[]> {
  const row = await findReadyScenario(ctx, { projectId, scenarioId, run, asOf });
  const { firstTimestamp, lastTimestamp, intervals } = row.scenario;
  if (firstTimestamp === null || lastTimestamp === null) throw noTimesError();
  const { from = firstTimestamp.getTime(), to = lastTimestamp.getTime() } = chartOptions(window, true);
  using _slot = await acquireSlot([row], ctx.signal);
  const dataset = await currentDataset(ctx.db, projectId);
  const timezone = dataset?.timezone ?? "UTC";
  const { indexOf, timeAt } = calendarGrid(from, unit, timezone);
  const range = { from: timeAt(indexOf(from)), behind: timeAt(indexOf(to) + 1) };
  const { shown } = await readShown(ctx, [row], { series, where });
  const { panel } = shown[0]!;
  const known = await findKnownValues(ctx, row.scenario, range.from, panel);
  const forecast = await forecastOf(ctx, shown[0]!);
  const request: OutlookRequest = {
    forecast,
    actual: known,
    seriesCount: panel?.panel.values.length ?? 1,
    grid: known?.grid ?? null,
    unit,
    timezone,
    range,
    shape: intervals,
  };
  const rows = forecast.times.length + (known?.times.length ?? 0);
  const periods = await runActualsTask("outlook", request, {
    bytes: rows * COST_PER_ROW,
    signal: ctx.signal,
  });
  if (periods.length > limits.outlookPeriods) throw tooManyError(periods.length);
  return periods;
}

type ForecastBounds = Pick<OutlookRequest["forecast"], "upper" | "floors">;

async function forecastOf(
  { db }: Context,
  { row: { scenario }, points, panel }: ShownScenario,
): Promise<OutlookRequest["forecast"]> {
  const isBounded = (scenario.rowCount ?? 0) <= BOUNDED_ROWS_MAX;
  const bounds: ForecastBounds = isBounded ? await effectiveBounds(db, scenario) : { upper: null };
  if (panel !== null) return forecastOfPanel(panel, bounds);
  const { upper, floors } = bounds;
  const { timestamps, prediction } = points;
  return { times: timestamps!, values: prediction, seriesOf: null, upper, ...(floors && { floors }) };
}

function forecastOfPanel(
  { panel, chosen, prediction }: ChosenPanel,
  { upper, floors }: ForecastBounds,
): OutlookRequest["forecast"] {
  const { ofRow, timeOf, times } = panel;
  return {
    times: Float64Array.from(timeOf, (place) => times[place]!),
    values: prediction.map((value, row) =>
      chosen === null || chosen[ofRow[row]!] === 1 ? value : Number.NaN,
    ),
    seriesOf: ofRow,
    upper,
    ...(floors && { floors }),
  };
}

function noTimesError() {
  const message = "The scenario has no timestamps, so it has no periods.";
  return issueError("validation_failed", { field: "period", code: "no_timestamps", message });
}

function tooManyError(count: number) {
  const most = limits.outlookPeriods.toLocaleString("en");
  const message = `The range has ${count.toLocaleString("en")} periods; at most ${most} are returned. Use a shorter range or a longer period.`;
  return issueError("validation_failed", { field: "from", code: "too_many_periods", message });
}
