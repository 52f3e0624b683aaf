import { eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { logger } from "#lib/platform/log/logger";
import { StoreUnreachableError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import { ownedAmong } from "./owners.ts";

const AT_ONCE = 20;

/** Delay before the retry of a failed or interrupted deletion: two seconds, doubled at each attempt. */
const nextTry = sql`now() + least(interval '2 seconds' * 2 ^ least(${orphanedArtifacts.attempts}, 10), interval '10 minutes')`;

/**
 * Deletes orphans that are due. No other code deletes artifacts. First records in the database that the deletion has
 * started. After this time no transaction can claim the folder. Then checks whether a row references it. Any worker
 * retries a failed deletion.
 *
 * @returns the number of folders deleted
 */
export async function deleteOrphans(db: Database): Promise<number> {
  let removed = 0;
  for (;;) {
    const keys = await takeDue(db);
    const owned = await ownedAmong(db, keys);
    for (const key of keys) {
      try {
        if (!owned.has(key)) await store().deleteFolder(key);
      } catch (err) {
        logger().warn({ err, key }, "artifact cannot be deleted; the deletion is retried later");
        if (err instanceof StoreUnreachableError) return removed;
        continue;
      }
      await db.delete(orphanedArtifacts).where(eq(orphanedArtifacts.key, key));
      if (owned.has(key)) continue;
      logger().info({ key }, "orphaned artifact deleted");
      removed++;
    }
    if (keys.length < AT_ONCE) return removed;
  }
}

async function takeDue(db: Database): Promise<string[]> {
  const due = db
    .select({ key: orphanedArtifacts.key })
    .from(orphanedArtifacts)
    .where(lte(orphanedArtifacts.dueAt, sql`now()`))
    .orderBy(orphanedArtifacts.dueAt)
    .limit(AT_ONCE)
    .for("update", { skipLocked: true });
  const rows = await db
    .update(orphanedArtifacts)
    .set({ attempts: sql`${orphanedArtifacts.attempts} + 1`, dueAt: nextTry })
    .where(inArray(orphanedArtifacts.key, due))
    .returning({ key: orphanedArtifacts.key });
  return rows.map(({ key }) => key);
}
