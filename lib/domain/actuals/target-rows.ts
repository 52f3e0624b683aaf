import type { Table } from "#lib/contract/table";
import { type DatasetRow, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { findColumn, numericValues, selectColumns } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { Remembered } from "#lib/platform/concurrency/lru-cache";

/** Datasets whose target is kept for the next question; a version of a dataset never changes. */
const remembered = new Remembered<Table | null>(8);

/**
 * Times and target of a project's dataset where the target is known, in the order of time; null where the dataset has
 * another target or other times than asked for.
 */
export function targetRows(
  dataset: DatasetRow,
  { timestamp, target }: { timestamp: string; target: string },
): Promise<Table | null> {
  const key = JSON.stringify([dataset.id, timestamp, target]);
  return remembered.get(key, () => read(dataset, timestamp, target));
}

async function read(dataset: DatasetRow, timestamp: string, target: string): Promise<Table | null> {
  if (dataset.timestampColumns?.[0] !== timestamp || dataset.target !== target) return null;
  const table = await readDatasetTable(dataset);
  if (findColumn(table, target)?.type !== "number") return null;
  const values = numericValues(table, target);
  const rows = Int32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]));
  return takeRows(selectColumns(table, [timestamp, target]), rows);
}
