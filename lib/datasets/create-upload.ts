import { uploads } from "#db/schema/datasets";
import type { Context } from "#lib/context/context";
import { keepAnswer } from "#lib/context/keep-answer";
import { limits } from "#lib/contract/limits";
import { DomainError } from "#lib/errors/domain-error";
import { newId } from "#lib/ids/new-id";
import { holdProject } from "#lib/projects/hold-project";
import { ArtifactTooLargeError } from "#lib/storage/storage-errors";
import { store } from "#lib/storage/store";
import { UploadProfiler } from "./profile-upload.ts";

export const uploadsFolder = (projectId: string) => `projects/${projectId}/uploads`;

/**
 * Streams a file to the artifact store; a CSV is profiled on the way. Nothing is kept of a file that is cut off,
 * empty or too large.
 *
 * @throws {DomainError} payload_too_large, validation_failed for an empty file, project_not_found
 */
export async function createUpload(
  ctx: Context,
  { projectId, content, isCsv, limitBytes = limits.uploadBytes }: UploadRequest,
): Promise<{ uploadId: string; bytes: number }> {
  const id = newId();
  const artifactKey = `${uploadsFolder(projectId)}/${id}`;
  const profiler = isCsv ? new UploadProfiler() : null;
  const stored = await writeLimited(artifactKey, profiler?.watch(content) ?? content, limitBytes);
  try {
    if (stored.bytes === 0) throw new DomainError("validation_failed", "The body is empty: send the file.");
    return await ctx.db.transaction(async (tx) => {
      await holdProject(tx, projectId);
      await tx.insert(uploads).values({
        id,
        projectId,
        bytes: stored.bytes,
        sha256: stored.sha256,
        artifactKey,
        profile: profiler?.finish() ?? null,
        createdBy: ctx.actor.userId,
      });
      return keepAnswer(tx, ctx, { uploadId: id, bytes: stored.bytes }, stored.sha256);
    });
  } catch (error) {
    await store().deleteFolder(artifactKey);
    throw error;
  }
}

export type UploadRequest = {
  projectId: string;
  content: AsyncIterable<Uint8Array>;
  isCsv: boolean;
  limitBytes?: number;
};

async function writeLimited(key: string, content: AsyncIterable<Uint8Array>, limitBytes: number) {
  try {
    return await store().writeStream(key, content, { limitBytes });
  } catch (error) {
    if (!(error instanceof ArtifactTooLargeError)) throw error;
    throw new DomainError(
      "payload_too_large",
      `A file may have ${limitBytes} bytes at most: send a smaller one.`,
      {
        cause: error,
      },
    );
  }
}
