import { and, desc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { datasets } from "#db/schema/datasets";
import type { Table } from "#lib/contract/table";
import { dropColumns } from "#lib/engine/table/columns";
import { standardError } from "#lib/platform/errors/standard-error";
import { readTable } from "./dataset-table.ts";
import type { DatasetSettings } from "./settings.ts";

export type DatasetRow = typeof datasets.$inferSelect;

/** Returns the project's newest dataset, or null. */
export async function currentDataset(db: Queryable, projectId: string): Promise<DatasetRow | null> {
  const [row] = await db
    .select()
    .from(datasets)
    .where(eq(datasets.projectId, projectId))
    .orderBy(desc(datasets.version))
    .limit(1);
  return row ?? null;
}

/** Returns the time of the last row with a target of the project's dataset; null without a dataset and without times. */
export async function actualsKnownUntil(db: Queryable, projectId: string): Promise<Date | null> {
  const dataset = await currentDataset(db, projectId);
  const last = dataset?.profile.lastTargetTimestamp;
  return last ? new Date(last) : (dataset?.lastTimestamp ?? null);
}

/** @throws {DomainError} dataset_not_found if the project has no dataset */
export async function requireDataset(db: Queryable, projectId: string): Promise<DatasetRow> {
  const row = await currentDataset(db, projectId);
  if (row === null) throw standardError("dataset_not_found");
  return row;
}

/** Returns a version of the project's dataset, or null. */
export async function findVersion(
  db: Queryable,
  { projectId, versionId }: { projectId: string; versionId: string },
): Promise<DatasetRow | null> {
  const [row] = await db
    .select()
    .from(datasets)
    .where(and(eq(datasets.projectId, projectId), eq(datasets.id, versionId)));
  return row ?? null;
}

/**
 * Reads the columns in use (target, timestamp, inputs), rows in time order. A timestamp that is joined from two columns has
 * the first one's name, and the second column is present too.
 */
export async function readDatasetTable(row: DatasetRow): Promise<Table> {
  return dropColumns(await readTable(row.parts), row.exclude);
}

export function settingsOf(row: DatasetRow): DatasetSettings {
  const { target, timestampColumns, seriesColumns, exclude, categories, confirmed } = row;
  const { timezone, missing, numberFormats, calendar, resample } = row;
  const { dateOrder } = row.profile;
  const { reading } = row;
  const options = { timestampColumns, seriesColumns, timezone, missing, numberFormats, dateOrder, reading };
  return { target, exclude, categories, confirmed, ...options, calendar, resample };
}

/** Returns the day of the month of every row (31 means the last day); null unless rows are months apart. */
export function monthDayOf(row: DatasetRow): number | null {
  return row.profile.monthDay;
}
