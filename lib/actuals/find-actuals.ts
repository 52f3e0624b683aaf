import { findCheckpoint } from "#lib/checkpoints/find-checkpoint";
import type { Context } from "#lib/context/context";
import type { Table } from "#lib/contract/table";
import { currentDataset } from "#lib/datasets/current-dataset";
import { createGrid, type GridDefinition } from "#lib/ml/features/grid";
import { numericValues } from "#lib/ml/table/columns";
import { openModel } from "#lib/models/open-model";
import { seriesFacts } from "#lib/scenarios/models/known-rows";
import { targetRows } from "./target-rows.ts";

type ActualAt = (time: number) => number;

/**
 * What the project's dataset knows of what a scenario predicts, by time.
 *
 * @param since epoch milliseconds; nothing before is asked for
 * @returns the actual value at the step of a time (epoch milliseconds), NaN where it is not known; null where the dataset
 * knows nothing since then
 */
export async function findActuals(
  ctx: Context,
  { projectId, checkpointId }: { projectId: string; checkpointId: string | null },
  since: number,
): Promise<ActualAt | null> {
  const dataset = await currentDataset(ctx.db, projectId);
  // Mostly scenarios begin where what is known ends; then no model has to be opened for them.
  if (checkpointId === null || !dataset?.lastTimestamp || !(dataset.lastTimestamp.getTime() >= since)) {
    return null;
  }
  const checkpoint = await findCheckpoint(ctx.db, { projectId, checkpointId });
  const model = await openModel(checkpoint.artifactKey, checkpoint.sha256);
  const facts = seriesFacts(model, dataset);
  const known = facts && (await targetRows(dataset, { ...facts, target: model.state.target }));
  return known && actualsOf(known, { ...facts, target: model.state.target });
}

/** The target of a table by the step of its times; of a step that comes twice the later row. */
export function actualsOf(
  known: Table,
  { timestamp, target, grid }: { timestamp: string; target: string; grid: GridDefinition | null },
): ActualAt {
  const step = grid === null ? (time: number) => time : createGrid(grid).indexOf;
  const values = numericValues(known, target);
  const actualAt = new Map<number, number>();
  numericValues(known, timestamp).forEach((time, row) => {
    actualAt.set(step(time), values[row]!);
  });
  return (time) => actualAt.get(step(time)) ?? Number.NaN;
}
