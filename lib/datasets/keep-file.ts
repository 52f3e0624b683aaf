import type { Context } from "#lib/context/context";
import { createUpload } from "./create-upload.ts";
import type { SourceFile } from "./file-source.ts";

/** Keeps a file that a request brought until its job has read it, as an upload is kept, and goes with those. */
export async function keepFile(
  ctx: Context,
  { projectId, file, isCsv }: { projectId: string; file: SourceFile; isCsv: boolean },
): Promise<string> {
  // The file is not what the request answers.
  const unclaimed = { ...ctx, claim: undefined };
  const { uploadId } = await createUpload(unclaimed, { projectId, content: await file.open(), isCsv });
  return uploadId;
}
