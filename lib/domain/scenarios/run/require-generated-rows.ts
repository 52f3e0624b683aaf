import { limits } from "#lib/contract/limits";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { createGrid } from "#lib/engine/features/grid";
import { continuedSeries, requirePanelRows } from "#lib/engine/forecasting/generate-panel";

/**
 * Limits the rows to generate for many series, before anything is stored.
 *
 * @param until time of the last row of each series, epoch milliseconds; null without times
 * @throws {GenerationImpossible}
 */
export async function requireGeneratedRows(
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
  if (history === null) return;
  requirePanelRows(continuedSeries({ ...facts, series: columns }, history).rows.length, steps);
}
