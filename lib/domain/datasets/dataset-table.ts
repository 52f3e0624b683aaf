import type { Table } from "#lib/contract/table";
import type { DateOrder } from "#lib/engine/csv/timestamps";
import { decodeTable, encodeTable } from "#lib/engine/table/codec";
import { store } from "#lib/platform/storage/store";
import type { BuiltDataset } from "./build-dataset.ts";

/** Metadata of a dataset whose columns are in the artifact store. */
export type StoredDataset = Omit<BuiltDataset, "table"> & { rowCount: number; dateOrder: DateOrder | null };

/** Name of the file with a dataset's columns in its folder of the artifact store. */
const tableFileName = "table.bin";

export async function readTable(artifactKey: string): Promise<Table> {
  return decodeTable(await store().readFile(artifactKey, tableFileName));
}

export async function storeDataset(
  artifactKey: string,
  { table, ...built }: BuiltDataset,
  dateOrder: DateOrder | null,
): Promise<StoredDataset> {
  await store().writeFolder(artifactKey, new Map([[tableFileName, encodeTable(table)]]));
  return { ...built, rowCount: table.rowCount, dateOrder };
}
