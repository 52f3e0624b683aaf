import type { Table } from "#lib/contract/table";
import { decodeTable, encodeTable } from "#lib/engine/table/codec";
import { ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";

const fileName = "columns.bin";

/** Folder of the other columns, beside an input in the scenario's folder. */
export const othersKeyBeside = (sentKey: string) => sentKey.replace(/[^/]+$/, "others");

/**
 * Keeps the columns of a file that only upstream models read, perhaps none: that they are kept says that the input came
 * as a file, so that upstream predictions may be made from its rows.
 */
export async function writeOtherColumns(sentKey: string, others: Table): Promise<void> {
  await store().writeFolder(othersKeyBeside(sentKey), new Map([[fileName, encodeTable(others)]]));
}

/** Null for an input that came as no file, or for a model that reads no other project's predictions. */
export async function readOtherColumns(sentKey: string): Promise<Table | null> {
  try {
    return decodeTable(await store().readFile(othersKeyBeside(sentKey), fileName));
  } catch (error) {
    if (error instanceof ArtifactNotFoundError) return null;
    throw error;
  }
}
