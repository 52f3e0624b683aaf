import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { chooseSeries } from "#lib/engine/panel/group-series";
import type { Context } from "#lib/platform/context/context";
import { choosesSeries, type SeriesQuery } from "./resolve-series.ts";
import { readPanels } from "./shown-scenarios.ts";

/**
 * Returns whether a row (from 0) of a scenario belongs to a chosen series; null if every row does.
 *
 * @throws {DomainError} scenario_not_found; series_not_found and validation_failed for an invalid choice of series
 */
export async function rowFilter(
  ctx: Context,
  row: ScenarioRow,
  query: SeriesQuery,
): Promise<((row: number) => boolean) | null> {
  if (!choosesSeries(query)) return null;
  const { panels, choice } = await readPanels(ctx, [row], query);
  const { panel } = panels[0]!;
  const chosen = panel && chooseSeries(panel, choice);
  return chosen && ((at) => chosen[panel.ofRow[at]!] === 1);
}
