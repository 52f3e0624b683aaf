import { desc, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { datasets } from "#db/schema/datasets";
import type { Table } from "#lib/contract/table";
import type { DateOrder } from "#lib/csv/timestamps";
import { decodeTable } from "#lib/ml/table/codec";
import { dropColumns } from "#lib/ml/table/columns";
import { store } from "#lib/storage/store";
import type { DatasetProfile } from "./dataset-profile.ts";
import type { DatasetSettings } from "./settings.ts";

export type DatasetRow = typeof datasets.$inferSelect;

/** Name of the file that holds a dataset's columns in its folder of the artifact store. */
export const tableFileName = "table.bin";

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

/** All stored columns, also those that are left out of models, in the order of time. */
export async function readStoredTable(row: DatasetRow): Promise<Table> {
  return decodeTable(await store().readFile(row.artifactKey, tableFileName));
}

/**
 * The columns that count: target, timestamp, inputs; in the order of time. Where the timestamp was joined of two
 * columns, it has the first one's name, and the second is there as well.
 */
export async function readDatasetTable(row: DatasetRow): Promise<Table> {
  return dropColumns(await readStoredTable(row), row.exclude);
}

export function settingsOf(row: DatasetRow): DatasetSettings {
  const { target, timestampColumns, exclude, categories, timezone, missing } = row;
  return { target, timestampColumns, exclude, categories, timezone, missing, dateOrder: dateOrderOf(row) };
}

/** Which number of a date such as 3/4/2024 is the month in this dataset's files; null where nothing told. */
export function dateOrderOf(row: DatasetRow): DateOrder | null {
  return (row.profile as DatasetProfile).dateOrder;
}
