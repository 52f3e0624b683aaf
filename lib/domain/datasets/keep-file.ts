import type { Context } from "#lib/platform/context/context";
import { type StoredUpload, storeUpload } from "./create-upload.ts";
import type { SourceFile } from "./file-source.ts";

type FileToKeep = { file: SourceFile; isCsv: boolean };

/**
 * Stores a request's file as an upload, so that its job can read it. If the request fails, the file is not kept.
 *
 * @param sent null if there is no file to keep
 * @param act records the file in the transaction that enqueues the job
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
