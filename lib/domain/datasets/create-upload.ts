import type { Transaction } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { writeArtifacts } from "#lib/artifacts/write-artifacts";
import type { Context } from "#lib/context/context";
import { keepAnswer } from "#lib/context/keep-answer";
import { limits } from "#lib/contract/limits";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { ArtifactTooLargeError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import { holdProject } from "#lib/projects/hold-project";
import { UploadProfiler } from "./profile-upload.ts";

/**
 * Streams a file to the artifact store; a CSV is profiled on the way. Nothing is kept of a file that is cut off,
 * empty or too large.
 *
 * @throws {DomainError} payload_too_large, validation_failed for an empty file, project_not_found
 */
export async function createUpload(
  ctx: Context,
  request: UploadRequest,
): Promise<{ uploadId: string; bytes: number }> {
  return storeUpload(ctx, request, ({ uploadId, bytes, sha256, record }) =>
    ctx.db.transaction(async (tx) => {
      await holdProject(tx, request.projectId);
      await record(tx);
      return keepAnswer(tx, ctx, { uploadId, bytes }, sha256);
    }),
  );
}

export type StoredUpload = {
  uploadId: string;
  bytes: number;
  sha256: string;
  /** Makes it an upload of the project, which the transaction holds. */
  record: (tx: Transaction) => Promise<void>;
};

/**
 * Stores a file that becomes an upload with the transaction in which `act` records it, or goes again.
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
  return writeArtifacts(ctx.db, [artifactKey], async (claim) => {
    const { bytes, sha256 } = await writeLimited(
      artifactKey,
      profiler?.watch(content) ?? content,
      limitBytes,
    );
    if (bytes === 0) throw new DomainError("validation_failed", "The file is empty: send its content.");
    const profile = profiler?.finish() ?? null;
    const createdBy = ctx.actor.userId;
    const record = async (tx: Transaction) => {
      await claim(tx);
      await tx.insert(uploads).values({ id, projectId, bytes, sha256, artifactKey, profile, createdBy });
    };
    return act({ uploadId: id, bytes, sha256, record });
  });
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
