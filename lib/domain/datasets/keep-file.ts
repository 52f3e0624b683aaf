import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import type { Context } from "#lib/platform/context/context";
import { storeUpload } from "./create-upload.ts";
import type { SourceFile } from "./file-source.ts";

type FileToKeep = { file: SourceFile; isCsv: boolean };

type KeptFile = {
  uploadId: string;
  /** Records the file as an upload that is in use. The transaction has locked the project. */
  record: (tx: Transaction) => Promise<void>;
};

/**
 * Stores a request's file as an upload, so that its job can read it. If the request fails, the file is not kept.
 *
 * @param sent null if there is no file to keep
 * @param act records the file in the transaction that enqueues the job
 */
export async function keepFile<T>(
  ctx: Context,
  { projectId, sent }: { projectId: string; sent: FileToKeep | null },
  act: (kept: KeptFile | null) => Promise<T>,
): Promise<T> {
  if (sent === null) return act(null);
  const content = await sent.file.open();
  return storeUpload(ctx, { projectId, content, isCsv: sent.isCsv, isOpen: false }, ({ uploadId, record }) =>
    act({ uploadId, record: (tx) => record(tx, sql`now()`) }),
  );
}
