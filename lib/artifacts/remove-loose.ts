import { eq, inArray, lte, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { looseArtifacts } from "#db/schema/artifacts";
import { ownedAmong } from "#lib/platform/artifacts/owners";
import { logger } from "#lib/platform/log/logger";
import type { ArtifactStore } from "#lib/platform/storage/artifact-store";
import { StoreUnreachableError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";

const AT_ONCE = 20;

/** Until a removal that failed, or whose worker died, is tried again: two seconds, then twice as long each time. */
const nextTry = sql`now() + least(interval '2 seconds' * 2 ^ least(${looseArtifacts.attempts}, 10), interval '10 minutes')`;

/**
 * Removes from the store what is due: nothing else ever removes an artifact. First it is said in the database that its
 * removal has begun, from when on no transaction can claim it; then it is seen whether a row owns it after all. What fails
 * is tried again later, by whoever comes along.
 *
 * @returns how many folders were removed
 */
export async function removeLoose(db: Database, from: ArtifactStore = store()): Promise<number> {
  let removed = 0;
  for (;;) {
    const keys = await takeDue(db);
    const owned = await ownedAmong(db, keys);
    for (const key of keys) {
      try {
        if (!owned.has(key)) await from.deleteFolder(key);
      } catch (err) {
        logger().warn({ err, key }, "an artifact cannot be removed; it is tried again later");
        if (err instanceof StoreUnreachableError) return removed;
        continue;
      }
      await db.delete(looseArtifacts).where(eq(looseArtifacts.key, key));
      if (owned.has(key)) continue;
      logger().info({ key }, "an artifact that was nobody's is removed");
      removed++;
    }
    if (keys.length < AT_ONCE) return removed;
  }
}

async function takeDue(db: Database): Promise<string[]> {
  const due = db
    .select({ key: looseArtifacts.key })
    .from(looseArtifacts)
    .where(lte(looseArtifacts.dueAt, sql`now()`))
    .orderBy(looseArtifacts.dueAt)
    .limit(AT_ONCE)
    .for("update", { skipLocked: true });
  const rows = await db
    .update(looseArtifacts)
    .set({ attempts: sql`${looseArtifacts.attempts} + 1`, dueAt: nextTry })
    .where(inArray(looseArtifacts.key, due))
    .returning({ key: looseArtifacts.key });
  return rows.map(({ key }) => key);
}
