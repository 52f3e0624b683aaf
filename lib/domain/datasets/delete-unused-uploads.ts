import { and, eq, inArray, lt, notExists, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";

/** Time for which an upload can be used. */
export const UPLOAD_HOURS = 24;

/** By the database's clock, which also set the creation time. The clock of one worker may be wrong. */
const dayAgo = sql`now() - make_interval(hours => ${UPLOAD_HOURS})`;

/** Condition of a job that has not ended and reads an upload. */
export const readsUpload = and(
  inArray(jobs.status, ["Pending", "Running"]),
  eq(jobs.projectId, uploads.projectId),
  sql`${uploads.id}::text in (lower(${jobs.payload}->>'uploadId'), lower(${jobs.payload}->>'labelledUploadId'))`,
);

/**
 * Deletes uploads older than 24 hours, except those that a job will still read. Datasets, models, checkpoints and
 * scenarios made from an upload have copies.
 *
 * @returns number of deleted uploads
 */
export async function deleteUnusedUploads(db: Database): Promise<number> {
  const reading = db.select({ id: jobs.id }).from(jobs).where(readsUpload);
  const expired = await db
    .delete(uploads)
    .where(and(lt(uploads.createdAt, dayAgo), notExists(reading)))
    .returning({ id: uploads.id });
  return expired.length;
}
