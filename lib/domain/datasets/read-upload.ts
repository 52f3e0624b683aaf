import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { standardError } from "#lib/platform/errors/standard-error";
import { streamFileName } from "#lib/platform/storage/artifact-store";
import { store } from "#lib/platform/storage/store";
import type { UploadProfile } from "./profile-upload.ts";

type UploadedFile = {
  bytes: number;
  /** Profile of the table; null unless sent with the media type of a table. */
  profile: UploadProfile | null;
  /** Opens the file from its start. */
  open: () => Promise<AsyncIterable<Uint8Array>>;
};

/** @throws {DomainError} upload_not_found, also for another project's upload and for an expired one */
export async function readUpload(
  db: Queryable,
  { projectId, uploadId }: { projectId: string; uploadId: string },
): Promise<UploadedFile> {
  const [row] = await db
    .select()
    .from(uploads)
    .where(and(eq(uploads.projectId, projectId), eq(uploads.id, uploadId)));
  if (!row) throw standardError("upload_not_found", { field: "uploadId", id: uploadId });
  return {
    bytes: row.bytes,
    profile: row.profile as UploadProfile | null,
    open: () => store().openRead(row.artifactKey, streamFileName),
  };
}
