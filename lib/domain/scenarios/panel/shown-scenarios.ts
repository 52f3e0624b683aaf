import {
  type Bounds,
  boundsOfRows,
  type SharedTimes,
  type TimedPredictions,
} from "#lib/domain/scenarios/chunks/read-predictions";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { chooseSeries } from "#lib/engine/panel/group-series";
import { hasWeight, meanShares, scaleRows, type Weights } from "#lib/engine/panel/mean-series";
import type { PanelRows } from "#lib/engine/panel/panel-rows";
import { sumBounds } from "#lib/engine/panel/sum-bounds";
import { asGroup, type Chosen, chosenTimes, rowsOfGroups, sumGroups } from "#lib/engine/panel/sum-series";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { cachedPanel } from "./cached-panel.ts";
import { cacheRuns, effectiveBounds, effectiveBoundsAt, effectivePoints } from "./effective-series.ts";
import { readWeights } from "./read-weights.ts";
import { resolveSeries, type SeriesChoice, type SeriesQuery } from "./resolve-series.ts";

/** The panel of a scenario, and the series that a read chooses. */
export type ChosenPanel = {
  panel: PanelRows;
  chosen: Chosen;
  /** Predictions of all rows. */
  prediction: Float64Array;
  /** Places in the panel's times of the points. */
  places: Int32Array;
  /** Weights, if the read combines series to means. Absent for sums. */
  mean?: { weights: Weights };
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
  await cacheRuns(
    db,
    rows.map(({ scenario }) => scenario),
  );
  const panels = await settleAll(
    rows.map(async ({ scenario }) => {
      const points = await effectivePoints(db, scenario, times);
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
  const shown = await Promise.all(
    panels.map(async ({ points, panel }, index): Promise<ShownScenario> => {
      const row = rows[index]!;
      if (panel === null) return { row, points, panel: null };
      const { prediction } = points;
      const chosen = chooseSeries(panel, choice);
      const own: ChosenPanel = { panel, chosen, prediction, places: chosenTimes(panel, chosen) };
      if (query.combine === "mean")
        own.mean = { weights: query.weight ? await readWeights(row.scenario, query.weight) : null };
      const timestamps = Float64Array.from(own.places, (place) => panel.times[place]!);
      return {
        row,
        points: { timestamps, prediction: combineGroups(own, asGroup(panel, chosen), 1)[0]! },
        panel: own,
      };
    }),
  );
  return { shown, choice };
}

/** Combines the predictions of each group of series at the points: to sums, or to the means that the read asks for. */
export function combineGroups(
  { panel, prediction, places, mean }: ChosenPanel,
  groupOf: Int32Array,
  count: number,
): Float64Array[] {
  const values = mean
    ? scaleRows(prediction, meanShares(panel, prediction, groupOf, { count, ...mean }))
    : prediction;
  return sumGroups(panel, values, groupOf, { count, places });
}

/** Sums of longer scenarios have no bounds, because all of their rows' bounds would take too much memory. */
const BOUNDED_ROWS_MAX = 1_000_000;

/**
 * Returns a function that computes the bounds of groups at all points of a shown scenario. Null if they are not known: for a model
 * that has not measured how the errors of series depend on each other.
 */
export async function readSumBounds(
  { db }: Context,
  { row: { scenario }, panel: chosen }: ShownScenario,
): Promise<((groupOf: Int32Array, count: number) => ReturnType<typeof sumBounds>) | null> {
  const { intervals: shape, rowCount } = scenario;
  if (chosen === null || shape?.sharedBySeries === undefined || (rowCount ?? 0) > BOUNDED_ROWS_MAX)
    return null;
  const { upper, floors } = await effectiveBounds(db, scenario);
  if (upper === null) return null;
  const { panel, prediction, places, mean } = chosen;
  return (groupOf, count) => {
    const asked = { count, places, shape };
    if (mean === undefined) return sumBounds(panel, { prediction, upper, floors }, groupOf, asked);
    const shares = meanShares(panel, prediction, groupOf, { count, ...mean });
    const least = floors ?? (shape.floor === null ? undefined : prediction.map(() => shape.floor!));
    const rows = {
      prediction: scaleRows(prediction, shares),
      upper: scaleRows(upper, shares),
      floors: least && scaleRows(least, shares),
    };
    return sumBounds(panel, rows, groupOf, asked);
  };
}

/**
 * Returns a function that reads the bounds at the points of a shown scenario (from 0; -1: no point). One series has its stored
 * bounds. Those of a sum follow from the dependence of the errors of series, if the model has measured it.
 */
export function boundsOfShown(ctx: Context, shown: ShownScenario): (points: Int32Array) => Promise<Bounds> {
  const { db } = ctx;
  const {
    row: { scenario },
    panel: chosen,
  } = shown;
  if (chosen === null) return (points) => effectiveBoundsAt(db, scenario, points);
  return boundsOfChosen(chosen, {
    ofRows: (rows) => effectiveBoundsAt(db, scenario, rows),
    ofSums: () => readSumBounds(ctx, shown),
  });
}

/** Returns the rows of groups of one series at the points, as `rowsOfGroups` does, without those that a mean does not count. */
export function rowsOfCombined(
  { panel, places, mean }: ChosenPanel,
  groupOf: Int32Array,
  count: number,
): Int32Array[] {
  const rows = rowsOfGroups(panel, groupOf, { count, places });
  if (mean === undefined) return rows;
  return rows.map((own) => own.map((row) => (row !== -1 && hasWeight(mean.weights, row) ? row : -1)));
}

type PanelBounds = {
  ofRows(rows: Int32Array): Bounds | Promise<Bounds>;
  /** As `readSumBounds`. */
  ofSums(): ReturnType<typeof readSumBounds>;
};

/** Returns a function that reads the bounds of the chosen series at points: those of its rows for one series, else of the sum. */
export function boundsOfChosen(
  own: ChosenPanel,
  { ofRows, ofSums }: PanelBounds,
): (points: Int32Array) => Promise<Bounds> {
  const { panel, chosen } = own;
  const group = asGroup(panel, chosen);
  if (group.filter((one) => one === 0).length > 1)
    return async (points) => {
      const bounds = (await ofSums())?.(group, 1)?.[0];
      return bounds ? boundsOfRows(bounds, points) : { lower: null, upper: null };
    };
  const rows = rowsOfCombined(own, group, 1)[0]!;
  return async (points) => ofRows(points.map((point) => (point === -1 ? -1 : rows[point]!)));
}
