import type { Transaction } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { limits } from "#lib/contract/limits";
import { lockProject } from "#lib/domain/projects/lock-project";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { ArtifactTooLargeError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import { UploadProfiler } from "./profile-upload.ts";

/**
 * Streams a file to the artifact store, and profiles a CSV on the way. Files that are cut off, empty or too large are
 * not kept.
 *
 * @throws {DomainError} payload_too_large, validation_failed for an empty file, project_not_found
 */
export async function createUpload(
  ctx: Context,
  request: UploadRequest,
): Promise<{ uploadId: string; bytes: number }> {
  return storeUpload(ctx, request, ({ uploadId, bytes, sha256, record }) =>
    ctx.db.transaction(async (tx) => {
      await lockProject(tx, request.projectId);
      await record(tx);
      return storeIdempotentResponse(tx, ctx, { uploadId, bytes }, sha256);
    }),
  );
}

export type StoredUpload = {
  uploadId: string;
  bytes: number;
  sha256: string;
  /** Records the file as an upload of the project, which the transaction has locked. */
  record: (tx: Transaction) => Promise<void>;
};

/**
 * Stores a file that becomes an upload when the transaction of `act` records it. Otherwise deletes the file.
 *
 * @throws {DomainError} as `createUpload`
 */
export async function storeUpload<T>(
  ctx: Context,
  { projectId, content, isCsv, limitBytes = limits.uploadBytes }: UploadRequest,
  act: (stored: StoredUpload) => Promise<T>,
): Promise<T> {
  const id = newId();
  const artifactKey = `projects/${projectId}/uploads/${id}`;
  const profiler = isCsv ? new UploadProfiler() : null;
  return writeArtifacts(ctx.db, [artifactKey], async (releaseClaim) => {
    const { bytes, sha256 } = await writeLimited(
      artifactKey,
      profiler?.watch(content) ?? content,
      limitBytes,
    );
    if (bytes === 0)
      throw new DomainError("validation_failed", "The file is empty. Send a file with content.");
    const profile = profiler?.finish() ?? null;
    const createdBy = ctx.actor.userId;
    const record = async (tx: Transaction) => {
      await releaseClaim(tx);
      await tx.insert(uploads).values({ id, projectId, bytes, sha256, artifactKey, profile, createdBy });
    };
    return act({ uploadId: id, bytes, sha256, record });
  });
}

type UploadRequest = {
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
