import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import type { ChosenPanel } from "#lib/domain/scenarios/panel/shown-scenarios";
import type { GridDefinition } from "#lib/engine/features/grid";
import { keyValues } from "#lib/engine/panel/panel-rows";
import { indexSeries, seriesKey } from "#lib/engine/panel/series-index";
import { numericValues } from "#lib/engine/table/columns";
import type { Context } from "#lib/platform/context/context";
import { findTarget } from "./find-actuals.ts";
import { panelTargetRows, targetRows } from "./target-rows.ts";

/** Known values of the target with their times and their series in the scenario's panel; -1: no chosen series. */
type KnownValues = {
  times: Float64Array;
  values: Float64Array;
  seriesOf: Int32Array | null;
  grid: GridDefinition | null;
};

/**
 * Finds all known values of a scenario's target, also at times before the scenario.
 *
 * @param since epoch milliseconds; the caller needs no earlier values
 * @param panel chosen series of the scenario; null for one series
 * @returns null if none is known since then, or if they cannot be matched by time
 */
export async function findKnownValues(
  ctx: Context,
  scenario: Pick<ScenarioRow["scenario"], "projectId" | "checkpointId">,
  since: number,
  panel: ChosenPanel | null,
): Promise<KnownValues | null> {
  const found = await findTarget(ctx, scenario, since);
  if (found === null) return null;
  const { dataset, wanted, grid } = found;
  const columnsOf = (known: NonNullable<Awaited<ReturnType<typeof targetRows>>>) => ({
    times: numericValues(known, wanted.timestamp),
    values: numericValues(known, wanted.target),
    grid,
  });
  if (panel === null) {
    const known = await targetRows(dataset, wanted);
    return known && { ...columnsOf(known), seriesOf: null };
  }
  const { panel: rows, chosen } = panel;
  const series = rows.columns.slice(0, rows.keys);
  const known = await panelTargetRows(dataset, wanted, { since, series });
  if (known === null) return null;
  const placeOfKey = new Map(rows.values.map((_, place) => [seriesKey(keyValues(rows, place)), place]));
  const index = indexSeries(known, series);
  const places = index.values.map((values) => {
    const place = placeOfKey.get(seriesKey(values)) ?? -1;
    return place !== -1 && (chosen === null || chosen[place] === 1) ? place : -1;
  });
  return { ...columnsOf(known), seriesOf: index.ofRow.map((own) => places[own]!) };
}
