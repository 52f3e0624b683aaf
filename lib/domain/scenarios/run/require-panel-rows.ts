import { limits } from "#lib/contract/limits";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { createGrid } from "#lib/engine/features/grid";
import { GenerationImpossible } from "#lib/engine/forecasting/generation";
import { indexSeries } from "#lib/engine/panel/series-index";

/**
 * Limits the rows to generate for many series, before anything is stored. Counts all known series, because few have ended.
 *
 * @param until time of the last row of each series, epoch milliseconds; null without times
 * @throws {GenerationImpossible}
 */
export async function requirePanelRows(
  series: LinkedSeries,
  projectId: string,
  until: number | null,
): Promise<void> {
  const { model, facts } = await series.project(projectId);
  const { series: columns } = model.state;
  if (!columns || !facts?.grid || facts.lastTimestamp === null || until === null) return;
  const { indexOf } = createGrid(facts.grid);
  const steps = indexOf(until) - indexOf(facts.lastTimestamp);
  // Most requests need no count.
  if (steps * limits.series <= limits.panelScenarioRows) return;
  const history = await series.history(projectId);
  const count = history === null ? 0 : indexSeries(history, columns.columns).values.length;
  if (steps * count <= limits.panelScenarioRows) return;
  throw new GenerationImpossible(
    "too_many_rows",
    `${steps} steps of ${count} series are ${(steps * count).toLocaleString("en")} rows. A scenario of many series has at most ${limits.panelScenarioRows.toLocaleString("en")} rows. Choose an earlier end date.`,
  );
}
