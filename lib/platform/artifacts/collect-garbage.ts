import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { storeLock } from "#lib/artifacts/store-lock";
import { logger } from "#lib/platform/log/logger";
import { store } from "#lib/platform/storage/store";
import { discardArtifacts } from "./discard-artifacts.ts";
import { findOrphans } from "./find-orphans.ts";

/** Whoever writes a file, pauses for minutes at most. */
const abandonedMs = 2 * 3_600_000;

/** What has an older id was not made by a version of the service that kept no record of what it writes. */
const legacyMs = 24 * 3_600_000;

/**
 * Looks through the whole store for what nobody knows of: folders that are neither owned nor recorded, which is what a
 * restored database or a former version may have left, and files of folders that were never published. One process at a
 * time does so; with another one at it, nothing is done.
 *
 * @returns how many were found
 */
export async function collectGarbage(
  db: Database,
  { olderThanMs = legacyMs, halfWrittenMs = abandonedMs } = {},
): Promise<number> {
  return db.transaction(async (tx) => {
    const [turn] = await tx.execute<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${storeLock}) as mine`,
    );
    if (!turn?.mine) return 0;
    // Between two of its questions it may list a large store; one that is cut off loses its turn.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '15min'`);
    let found = await store().removeLeftovers({ olderThanMs: halfWrittenMs });
    for await (const orphans of findOrphans(tx, store(), { olderThanMs })) {
      if (orphans.length === 0) continue;
      logger().warn({ keys: orphans }, "artifacts that no row owns are removed");
      await discardArtifacts(db, orphans);
      found += orphans.length;
    }
    return found;
  });
}
