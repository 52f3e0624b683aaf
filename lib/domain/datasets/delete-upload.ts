import { and, eq } from "drizzle-orm";
import { uploads } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";
import type { ListedUpload } from "#lib/contract/uploads";
import { lockProject } from "#lib/domain/projects/lock-project";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { readsUpload } from "./delete-unused-uploads.ts";
import { presentUpload } from "./list-uploads.ts";

/**
 * Deletes an upload and returns it. Resources made from it remain. An upload that an unfinished job reads stays.
 *
 * @throws {DomainError} project_not_found, upload_not_found, precondition_failed, validation_failed while a job reads it
 */
export async function deleteUpload(
  ctx: Context,
  { projectId, uploadId }: { projectId: string; uploadId: string },
): Promise<ListedUpload> {
  return ctx.db.transaction(async (tx) => {
    // A request that starts to use the upload takes the same lock (`markUploadUsed`).
    await lockProject(tx, projectId);
    const [row] = await tx
      .select()
      .from(uploads)
      .where(and(eq(uploads.projectId, projectId), eq(uploads.id, uploadId)));
    if (row === undefined) throw standardError("upload_not_found");
    const upload = presentUpload(row);
    await requireIfMatch(ctx, async () => upload);
    const [reader] = await tx
      .select({ id: jobs.id })
      .from(jobs)
      .innerJoin(uploads, and(eq(uploads.id, uploadId), readsUpload))
      .limit(1);
    if (reader !== undefined) {
      const message = `Job ${reader.id} reads this upload. Wait until the job has ended, or cancel it first.`;
      throw issueError("validation_failed", { id: reader.id, code: "upload_in_use", message });
    }
    await tx.delete(uploads).where(eq(uploads.id, uploadId));
    await recordChange(tx, ctx, "upload.deleted", { projectId, entityId: uploadId });
    return upload;
  });
}
