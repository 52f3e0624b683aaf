import { desc, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { datasets } from "#db/schema/datasets";
import type { Table } from "#lib/contract/table";
import type { DateOrder } from "#lib/engine/csv/timestamps";
import { dropColumns } from "#lib/engine/table/columns";
import type { DatasetProfile } from "./dataset-profile.ts";
import { readTable } from "./dataset-table.ts";
import type { DatasetSettings } from "./settings.ts";

export type DatasetRow = typeof datasets.$inferSelect;

/** The project's newest dataset, or null. */
export async function currentDataset(
  db: Pick<Database, "select">,
  projectId: string,
): Promise<DatasetRow | null> {
  const [row] = await db
    .select()
    .from(datasets)
    .where(eq(datasets.projectId, projectId))
    .orderBy(desc(datasets.version))
    .limit(1);
  return row ?? null;
}

/**
 * The columns that count: target, timestamp, inputs; in the order of time. Where the timestamp was joined of two
 * columns, it has the first one's name, and the second is there as well.
 */
export async function readDatasetTable(row: DatasetRow): Promise<Table> {
  return dropColumns(await readTable(row.artifactKey), row.exclude);
}

export function settingsOf(row: DatasetRow): DatasetSettings {
  const { target, timestampColumns, exclude, categories, timezone, missing } = row;
  return { target, timestampColumns, exclude, categories, timezone, missing, dateOrder: dateOrderOf(row) };
}

/** Which number of a date such as 3/4/2024 is the month in this dataset's files; null where nothing told. */
export function dateOrderOf(row: DatasetRow): DateOrder | null {
  return (row.profile as DatasetProfile).dateOrder;
}
