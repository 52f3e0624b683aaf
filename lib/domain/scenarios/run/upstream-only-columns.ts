import type { Table } from "#lib/contract/table";
import { decodeTable, encodeTable } from "#lib/engine/table/codec";
import { nullIfNotFound } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";

const fileName = "columns.bin";

/** Returns the folder of the columns that only upstream models read, beside the input in the scenario's folder. */
export const upstreamOnlyKey = (sentKey: string) => sentKey.replace(/[^/]+$/, "others");

/**
 * Stores the columns of a file that only upstream models read. The folder exists even without such columns: it marks an
 * input from a file, whose rows upstream models may predict.
 */
export async function writeUpstreamOnly(sentKey: string, upstreamOnly: Table): Promise<void> {
  await store().writeFolder(upstreamOnlyKey(sentKey), new Map([[fileName, encodeTable(upstreamOnly)]]));
}

/** Reads the columns that only upstream models read. Null for an input without a file, or for a model without upstream features. */
export async function readUpstreamOnly(sentKey: string): Promise<Table | null> {
  const bytes = await nullIfNotFound(store().readFile(upstreamOnlyKey(sentKey), fileName));
  return bytes && decodeTable(bytes);
}
