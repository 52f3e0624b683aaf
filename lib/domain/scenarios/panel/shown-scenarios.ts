import { boundsAt } from "#lib/domain/scenarios/chunks/bounds-at";
import type { Bounds, SharedTimes, TimedPredictions } from "#lib/domain/scenarios/chunks/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { chooseSeries } from "#lib/engine/panel/group-series";
import type { PanelRows } from "#lib/engine/panel/panel-rows";
import { asGroup, type Chosen, chosenTimes, rowsOfGroups, sumSeries } from "#lib/engine/panel/sum-series";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { cachedPanel } from "./cached-panel.ts";
import { resolveSeries, type SeriesChoice, type SeriesQuery } from "./resolve-series.ts";

/** The panel of a scenario, and the series that a read chooses. */
export type ChosenPanel = {
  panel: PanelRows;
  chosen: Chosen;
  /** Predictions of all rows. */
  prediction: Float64Array;
  /** Places in the panel's times of the points. */
  places: Int32Array;
};

type ReadPanel = { points: TimedPredictions; panel: PanelRows | null };

/** Returns a function that adds the choice of series to a panel, without a sum. */
export const chosenBy =
  (choice: SeriesChoice) =>
  ({ panel, points: { prediction } }: ReadPanel): { panel: ChosenPanel | null } => {
    if (panel === null) return { panel };
    const chosen = chooseSeries(panel, choice);
    return { panel: { panel, chosen, prediction, places: chosenTimes(panel, chosen) } };
  };

/** The series that a chart shows of a scenario: its rows, or the sum of the chosen series of its panel. */
export type ShownScenario = {
  row: ScenarioRow;
  points: TimedPredictions;
  /** Null for a scenario with one series. */
  panel: ChosenPanel | null;
};

/**
 * Reads the points and the panels of scenarios of a project, and checks the choice of series.
 *
 * @throws {DomainError} scenario_not_found; series_not_found and validation_failed for an invalid choice of series
 */
export async function readPanels(
  { db }: Context,
  rows: readonly ScenarioRow[],
  query: SeriesQuery,
): Promise<{ panels: ReadPanel[]; choice: SeriesChoice }> {
  const times: SharedTimes = new Map();
  const panels = await settleAll(
    rows.map(async ({ scenario }) => {
      const points = await cachedPoints(db, scenario, times);
      return { points, panel: await cachedPanel(scenario, points) };
    }),
  );
  const choice = resolveSeries(
    rows[0]!.scenario.projectId,
    panels.map(({ panel }) => panel),
    query,
  );
  return { panels, choice };
}

/**
 * Reads the series to show of scenarios of a project.
 *
 * @throws the errors of `readPanels`
 */
export async function readShown(
  ctx: Context,
  rows: readonly ScenarioRow[],
  query: SeriesQuery,
): Promise<{ shown: ShownScenario[]; choice: SeriesChoice }> {
  const { panels, choice } = await readPanels(ctx, rows, query);
  const shown = panels.map(({ points, panel }, index): ShownScenario => {
    const row = rows[index]!;
    return panel === null ? { row, points, panel: null } : sumOf(row, panel, points, choice);
  });
  return { shown, choice };
}

function sumOf(
  row: ScenarioRow,
  panel: PanelRows,
  { prediction }: TimedPredictions,
  choice: SeriesChoice,
): ShownScenario {
  const chosen = chooseSeries(panel, choice);
  const points = sumSeries(panel, prediction, chosen);
  return { row, points, panel: { panel, chosen, prediction, places: chosenTimes(panel, chosen) } };
}

/**
 * Returns a function that reads the bounds at the points of a shown scenario (from 0; -1: no point). A sum of several series has
 * no bounds: their errors are not independent, so their intervals do not give that of the sum.
 */
export function boundsOfShown(
  { db }: Context,
  { row: { scenario }, panel: chosen }: ShownScenario,
): (points: Int32Array) => Promise<Bounds> {
  if (chosen === null) return (points) => boundsAt(db, scenario, points);
  const { panel, places } = chosen;
  const rows = rowsOfGroups(panel, asGroup(panel, chosen.chosen), { count: 1, places })[0]!;
  return (points) =>
    boundsAt(
      db,
      scenario,
      points.map((point) => (point === -1 ? -1 : rows[point]!)),
    );
}
