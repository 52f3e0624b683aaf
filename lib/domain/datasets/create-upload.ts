import type { SQL } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { limits } from "#lib/contract/limits";
import { lockProject } from "#lib/domain/projects/lock-project";
import { reserveSpace } from "#lib/domain/projects/space";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { streamFileName } from "#lib/platform/storage/artifact-store";
import { ArtifactTooLargeError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import { profileUpload } from "./profile-tasks.ts";
import { LineWatch } from "./profile-upload.ts";

/**
 * Streams a file to the artifact store, and profiles a table. Files that are cut off, empty or too large are
 * not kept.
 *
 * @throws {DomainError} payload_too_large, quota_exceeded, validation_failed for an empty file, project_not_found
 */
export async function createUpload(
  ctx: Context,
  request: Omit<UploadRequest, "isOpen">,
): Promise<{ uploadId: string; bytes: number }> {
  return storeUpload(ctx, { ...request, isOpen: true }, ({ uploadId, bytes, sha256, record }) =>
    ctx.db.transaction(async (tx) => {
      await lockProject(tx, request.projectId);
      await record(tx, null);
      return storeIdempotentResponse(tx, ctx, { uploadId, bytes }, sha256);
    }),
  );
}

export type StoredUpload = {
  uploadId: string;
  bytes: number;
  sha256: string;
  /** Records the file as an upload of the project, which the transaction has locked. `usedAt` null: an open upload. */
  record: (tx: Transaction, usedAt: SQL | null) => Promise<void>;
};

/**
 * Stores a file that becomes an upload when the transaction of `act` records it. Otherwise deletes the file.
 *
 * @throws {DomainError} as `createUpload`
 */
export async function storeUpload<T>(
  ctx: Context,
  { projectId, content, isCsv, isOpen, limitBytes = limits.uploadBytes }: UploadRequest,
  act: (stored: StoredUpload) => Promise<T>,
): Promise<T> {
  const id = newId();
  const artifactKey = `projects/${projectId}/uploads/${id}`;
  const lines = isCsv ? new LineWatch() : null;
  return writeArtifacts(ctx.db, [artifactKey], async (releaseClaim) => {
    const reserved = reserving(content, { db: ctx.db, projectId, key: artifactKey, isOpenUpload: isOpen });
    const watched = lines?.watch(reserved) ?? reserved;
    const { bytes, sha256 } = await writeLimited(artifactKey, watched, limitBytes);
    if (bytes === 0)
      throw new DomainError("validation_failed", "The file is empty. Send a file with content.");
    const open = () => store().openRead(artifactKey, streamFileName);
    const profile =
      lines === null ? null : await profileUpload({ bytes, lineCount: lines.lineCount }, open, ctx.signal);
    const createdBy = ctx.actor.userId;
    const record: StoredUpload["record"] = async (tx, usedAt) => {
      await releaseClaim(tx);
      await tx
        .insert(uploads)
        .values({ id, projectId, bytes, sha256, artifactKey, profile, usedAt, createdBy });
    };
    return act({ uploadId: id, bytes, sha256, record });
  });
}

type UploadRequest = {
  projectId: string;
  content: AsyncIterable<Uint8Array>;
  /** Whether the file is a CSV, a workbook or a Parquet file, which are profiled. */
  isCsv: boolean;
  /** Whether the upload waits for a request that uses it. */
  isOpen: boolean;
  limitBytes?: number;
};

/** Largest step of a reservation: more would block other uploads of the project, less would take more transactions. */
const STEP_BYTES = 64e6;

/**
 * Passes a file on, and reserves space before it passes more than is reserved: about twice the bytes so far.
 *
 * @throws {DomainError} project_not_found, quota_exceeded
 */
async function* reserving(
  content: AsyncIterable<Uint8Array>,
  { db, ...folder }: { db: Database; projectId: string; key: string; isOpenUpload: boolean },
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  let reserved = 0;
  for await (const chunk of content) {
    passed += chunk.length;
    if (passed > reserved) {
      const atMost = passed + Math.min(passed, STEP_BYTES);
      reserved = await reserveSpace(db, { ...folder, atLeast: passed, atMost });
    }
    yield chunk;
  }
}

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
