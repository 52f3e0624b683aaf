import { lt } from "drizzle-orm";
import type { Database } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { store } from "#lib/storage/store";

const KEPT_MS = 24 * 3_600_000;

/** Removes uploads older than 24 hours; what used them has its own copy. Returns how many. */
export async function deleteUnusedUploads(db: Database, now = Date.now()): Promise<number> {
  const expired = await db
    .delete(uploads)
    .where(lt(uploads.createdAt, new Date(now - KEPT_MS)))
    .returning({ artifactKey: uploads.artifactKey });
  for (const { artifactKey } of expired) await store().deleteFolder(artifactKey);
  return expired.length;
}
