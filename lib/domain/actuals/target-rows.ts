import { type Classes, NUMBER_CLASSES } from "#lib/contract/classes";
import type { Table } from "#lib/contract/table";
import { type DatasetRow, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { encodeClasses } from "#lib/engine/table/class-values";
import { findColumn, numericValues, selectColumns } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { LruCache } from "#lib/platform/concurrency/lru-cache";

/** `classes`: of the model's target, whose values are then 0 and 1. */
export type WantedTarget = { timestamp: string; target: string; classes: Classes | undefined };

/** Target rows of recently used datasets. A version of a dataset never changes. */
const cache = new LruCache<Table | null>(8);

/**
 * Reads times and target of a project's dataset in ascending time order, only rows with a known target. Returns null if
 * the dataset has another target or another timestamp column.
 */
export function targetRows(dataset: DatasetRow, target: WantedTarget): Promise<Table | null> {
  const key = JSON.stringify([dataset.id, target.timestamp, target.target, target.classes]);
  return cache.get(key, () => read(dataset, target));
}

/**
 * Reads the same rows of a panel, from a time on, with the columns that name their series. Rows are in the order of the dataset:
 * by series, then time. They are not cached, because a panel may have millions of rows.
 *
 * @returns null also for a dataset without these series columns
 */
export async function panelTargetRows(
  dataset: DatasetRow,
  target: WantedTarget,
  { since, series }: { since: number; series: readonly string[] },
): Promise<Table | null> {
  const known = await read(dataset, target, series);
  if (known === null) return null;
  const times = numericValues(known, target.timestamp);
  return takeRows(
    known,
    Int32Array.from(times.keys()).filter((row) => times[row]! >= since),
  );
}

async function read(
  dataset: DatasetRow,
  { timestamp, target, classes }: WantedTarget,
  series: readonly string[] = [],
): Promise<Table | null> {
  if (dataset.timestampColumns?.[0] !== timestamp || dataset.target !== target) return null;
  // Rows of many series cannot be matched by time alone.
  if (dataset.seriesColumns !== null && series.length === 0) return null;
  const stored = await readDatasetTable(dataset);
  const isBoolean = findColumn(stored, target)?.type === "boolean";
  // An imported model keeps no classes. It predicts booleans as 0 and 1.
  const encoded = classes ?? (isBoolean ? NUMBER_CLASSES : null);
  const table = encoded ? encodeClasses(stored, target, encoded) : stored;
  if (findColumn(table, target)?.type !== "number") return null;
  const values = numericValues(table, target);
  const rows = Int32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]));
  if (series.some((name) => findColumn(table, name)?.type !== "category")) return null;
  return takeRows(selectColumns(table, [timestamp, target, ...series]), rows);
}

/**
 * Returns the time of the last row of a dataset with a known target, in epoch milliseconds. Later rows can have inputs
 * only. Returns null without such a row, without times, and for a dataset with another target.
 */
export async function lastKnownTarget(
  dataset: DatasetRow | null,
  of: Pick<WantedTarget, "target" | "classes">,
): Promise<number | null> {
  const timestamp = dataset?.timestampColumns?.[0];
  if (dataset === null || timestamp === undefined) return null;
  if (dataset.seriesColumns !== null) {
    const { lastTargetTimestamp: last } = dataset.profile;
    return dataset.target === of.target && last ? Date.parse(last) : null;
  }
  const known = await targetRows(dataset, { ...of, timestamp });
  return known && (numericValues(known, timestamp).at(-1) ?? null);
}
