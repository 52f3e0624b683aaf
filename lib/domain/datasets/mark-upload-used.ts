import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { standardError } from "#lib/platform/errors/standard-error";

/**
 * Records that a request uses an upload, so that it is no longer open. The transaction has locked the project, so the
 * upload cannot be deleted before the job that reads it exists.
 *
 * @throws {DomainError} upload_not_found if it was deleted since the request read it
 */
export async function markUploadUsed(
  tx: Transaction,
  { projectId, uploadId }: { projectId: string; uploadId: string },
): Promise<void> {
  const [found] = await tx
    .update(uploads)
    .set({ usedAt: sql`coalesce(${uploads.usedAt}, now())` })
    .where(and(eq(uploads.projectId, projectId), eq(uploads.id, uploadId)))
    .returning({ id: uploads.id });
  if (found === undefined) throw standardError("upload_not_found", { field: "uploadId", id: uploadId });
}
