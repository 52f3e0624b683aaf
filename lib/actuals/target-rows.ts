import type { Table } from "#lib/contract/table";
import { type DatasetRow, readDatasetTable } from "#lib/datasets/current-dataset";
import { findColumn, numericValues, selectColumns } from "#lib/ml/table/columns";
import { takeRows } from "#lib/ml/table/rows";

/** Datasets whose target is kept for the next question; a version of a dataset never changes. */
const KEPT_MAX = 8;
const kept = new Map<string, Promise<Table | null>>();

/**
 * Times and target of a project's dataset where the target is known, in the order of time; null where the dataset has
 * another target or other times than asked for.
 */
export function targetRows(
  dataset: DatasetRow,
  { timestamp, target }: { timestamp: string; target: string },
): Promise<Table | null> {
  const key = JSON.stringify([dataset.id, timestamp, target]);
  const found = kept.get(key) ?? read(dataset, timestamp, target);
  kept.delete(key);
  kept.set(key, found);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  found.catch(() => kept.delete(key));
  return found;
}

async function read(dataset: DatasetRow, timestamp: string, target: string): Promise<Table | null> {
  if (dataset.timestampColumns?.[0] !== timestamp || dataset.target !== target) return null;
  const table = await readDatasetTable(dataset);
  if (findColumn(table, target)?.type !== "number") return null;
  const values = numericValues(table, target);
  const rows = Int32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]));
  return takeRows(selectColumns(table, [timestamp, target]), rows);
}
