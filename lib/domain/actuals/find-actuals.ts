import { readyCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { currentDataset, type DatasetRow } from "#lib/domain/datasets/current-dataset";
import { seriesFacts } from "#lib/domain/models/linked/known-rows";
import { openModel } from "#lib/domain/models/open-model";
import type { ChosenPanel } from "#lib/domain/scenarios/panel/shown-scenarios";
import type { GridDefinition } from "#lib/engine/features/grid";
import type { Context } from "#lib/platform/context/context";
import type { KnownTarget } from "./actuals-of.ts";
import { sumActuals } from "./sum-actuals.ts";
import { panelTargetRows, targetRows, type WantedTarget } from "./target-rows.ts";

type Scenario = { projectId: string; checkpointId: string | null };

/**
 * Finds the actuals of a scenario's target in the project's dataset, for `actualsAmong`.
 *
 * @param since epoch milliseconds; the caller needs no actuals before this time
 * @param panel chosen series of the scenario; the actuals are their sums
 * @returns null if the dataset has no actuals since then, if they cannot be matched by time, or if the checkpoint of an earlier run
 *   was deleted
 */
export async function findActuals(
  ctx: Context,
  scenario: Scenario,
  since: number,
  panel: ChosenPanel | null = null,
): Promise<KnownTarget | null> {
  const found = await findTarget(ctx, scenario, since);
  if (found === null) return null;
  const { dataset, wanted, grid } = found;
  if (panel !== null) {
    const { columns, keys } = panel.panel;
    const known = await panelTargetRows(dataset, wanted, { since, series: columns.slice(0, keys) });
    return known && sumActuals(known, wanted, { grid, panel });
  }
  const known = await targetRows(dataset, wanted);
  return known && { known, timestamp: wanted.timestamp, grid, target: wanted.target };
}

/**
 * Finds the dataset that has the actuals of a scenario, and the columns of its model in it.
 *
 * @returns null if the dataset has no rows since then, or if they cannot be matched by time
 * @throws {DomainError} checkpoint_not_found
 */
export async function findTarget(
  ctx: Context,
  { projectId, checkpointId }: Scenario,
  since: number,
): Promise<{ dataset: DatasetRow; wanted: WantedTarget; grid: GridDefinition | null } | null> {
  const dataset = await currentDataset(ctx.db, projectId);
  // Most scenarios begin after the last known row. Then no model has to be opened.
  if (checkpointId === null || !dataset?.lastTimestamp || !(dataset.lastTimestamp.getTime() >= since)) {
    return null;
  }
  const checkpoint = await readyCheckpoint(ctx.db, { projectId, checkpointId });
  if (checkpoint === null) return null;
  const model = await openModel(checkpoint.artifactKey, checkpoint.sha256);
  const facts = seriesFacts(model, dataset);
  const { target, classes } = model.state;
  return facts && { dataset, wanted: { timestamp: facts.timestamp, target, classes }, grid: facts.grid };
}
