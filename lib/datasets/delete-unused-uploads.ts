import { and, eq, inArray, lt, notExists, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { idTime } from "#lib/ids/new-id";
import { store } from "#lib/storage/store";
import { uploadsFolder } from "./create-upload.ts";

const KEPT_MS = 24 * 3_600_000;

/**
 * Removes uploads older than 24 hours, but those that a job is still to read; what has used them has its own copy. And
 * the files of uploads that a crash kept from being recorded, or from being removed.
 *
 * @returns how many were removed
 */
export async function deleteUnusedUploads(db: Database, now = Date.now()): Promise<number> {
  const reading = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        inArray(jobs.status, ["Pending", "Running"]),
        eq(jobs.projectId, uploads.projectId),
        sql`${uploads.id}::text in (lower(${jobs.payload}->>'uploadId'), lower(${jobs.payload}->>'labelledUploadId'))`,
      ),
    );
  const expired = await db
    .delete(uploads)
    .where(and(lt(uploads.createdAt, new Date(now - KEPT_MS)), notExists(reading)))
    .returning({ artifactKey: uploads.artifactKey });
  for (const { artifactKey } of expired) await store().deleteFolder(artifactKey);
  return expired.length + (await deleteUnrecorded(db, now));
}

async function deleteUnrecorded(db: Database, now: number): Promise<number> {
  let count = 0;
  for (const { projectId } of await db.select({ projectId: projects.id }).from(projects)) {
    const folder = uploadsFolder(projectId);
    const old = (await store().listFolders(folder)).filter(
      (key) => idTime(key.slice(folder.length + 1)) < now - KEPT_MS,
    );
    if (old.length === 0) continue;
    const rows = await db
      .select({ artifactKey: uploads.artifactKey })
      .from(uploads)
      .where(and(eq(uploads.projectId, projectId), inArray(uploads.artifactKey, old)));
    const recorded = new Set(rows.map(({ artifactKey }) => artifactKey));
    for (const key of old) {
      if (recorded.has(key)) continue;
      await store().deleteFolder(key);
      count++;
    }
  }
  return count;
}
