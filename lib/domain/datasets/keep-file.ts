import type { Context } from "#lib/context/context";
import { type StoredUpload, storeUpload } from "./create-upload.ts";
import type { SourceFile } from "./file-source.ts";

export type FileToKeep = { file: SourceFile; isCsv: boolean };

/**
 * Keeps a file that a request brought until its job has read it, as an upload is kept, and goes with those. Where the
 * request is refused after all, nothing is kept of it.
 *
 * @param sent null where there is none to keep
 * @param act records it in the transaction that enqueues the job
 */
export async function keepFile<T>(
  ctx: Context,
  { projectId, sent }: { projectId: string; sent: FileToKeep | null },
  act: (kept: Pick<StoredUpload, "uploadId" | "record"> | null) => Promise<T>,
): Promise<T> {
  if (sent === null) return act(null);
  const content = await sent.file.open();
  return storeUpload(ctx, { projectId, content, isCsv: sent.isCsv }, act);
}
