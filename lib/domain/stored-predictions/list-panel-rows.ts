import type { PredictionRow } from "#lib/contract/scenario-series";
import type { AtLevels } from "#lib/domain/scenarios/chart-window";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { panelColumns } from "#lib/domain/scenarios/panel/cached-panel";
import { effectiveBoundsAt, readEffective } from "#lib/domain/scenarios/panel/effective-series";
import { choosesSeries, type SeriesQuery } from "#lib/domain/scenarios/panel/resolve-series";
import { readPanels } from "#lib/domain/scenarios/panel/shown-scenarios";
import { chooseSeries } from "#lib/engine/panel/group-series";
import { gather } from "#lib/engine/series/align";
import type { Context } from "#lib/platform/context/context";
import { predictionRows } from "./prediction-rows.ts";

/** Chosen rows of a panel, as a list shows them. */
export type PanelPage = {
  /** Rows of the page, from 0. */
  places: Int32Array;
  rows: PredictionRow[];
  /** Number of chosen rows of the whole scenario. */
  rowCount: number;
};

/** Rows of a page: at most `limit`, after the row with the number `after` or after the first `offset` chosen rows. */
type Page = { limit: number; after?: number; offset?: number };

/**
 * Lists a page of the chosen rows of a scenario with many series, in the order of its input.
 *
 * @returns null for a scenario with one series and a query that chooses no series
 * @throws {DomainError} scenario_not_found; series_not_found and validation_failed for an invalid choice of series
 */
export async function listPanelRows(
  ctx: Context,
  row: ScenarioRow,
  { limit, after = 0, offset = 0, levels, ...query }: Page & AtLevels & SeriesQuery,
): Promise<PanelPage | null> {
  const { scenario } = row;
  if ((await panelColumns(scenario)) === null && !choosesSeries(query)) return null;
  const { panels, choice } = await readPanels(ctx, [row], query);
  const { panel, points } = panels[0]!;
  if (panel === null) return null;
  const chosen = chooseSeries(panel, choice);
  const isChosen = (place: number) => chosen === null || chosen[panel.ofRow[place]!] === 1;
  const places = new Int32Array(limit);
  let count = 0;
  let rowCount = 0;
  for (let place = 0; place < panel.ofRow.length; place++) {
    if (!isChosen(place)) continue;
    rowCount++;
    if (place >= after && rowCount > offset && count < limit) places[count++] = place;
  }
  const shown = places.subarray(0, count);
  const isOverridden = scenario.overrides.length > 0;
  const series = isOverridden
    ? await readEffective(ctx.db, scenario, shown)
    : {
        timestamps: points.timestamps && gather(points.timestamps, shown),
        prediction: gather(points.prediction, shown),
        ...(await effectiveBoundsAt(ctx.db, scenario, shown)),
      };
  const taken = [...reserved, ...(isOverridden ? ["calculated", "overrideId"] : [])];
  const names = fieldNames(panel.columns.slice(0, panel.keys), taken);
  const rows = predictionRows(series, { levels, shape: scenario.intervals }, (index) => {
    const place = shown[index]!;
    const values = panel.values[panel.ofRow[place]!]!;
    return { row: place + 1, series: Object.fromEntries(names.map((name, at) => [name, values[at]!])) };
  });
  return { places: shown, rows, rowCount };
}

const reserved = ["row", "timestamp", "prediction", "lower", "upper", "levels", "input"];

/** Returns the field of each series column in a row: its name, with a suffix `_2`, `_3`, … if the row has such a field. */
function fieldNames(columns: readonly string[], reserved: readonly string[]): string[] {
  const taken = new Set([...reserved, ...columns]);
  return columns.map((column) => {
    if (!reserved.includes(column)) return column;
    let number = 2;
    while (taken.has(`${column}_${number}`)) number++;
    taken.add(`${column}_${number}`);
    return `${column}_${number}`;
  });
}
