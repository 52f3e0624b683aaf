import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { logger } from "#lib/platform/log/logger";
import { store } from "#lib/platform/storage/store";
import { discardArtifacts } from "./discard-artifacts.ts";
import { findOrphans } from "./find-orphans.ts";
import { ownedAmong } from "./owners.ts";

/** Key of the advisory lock for a scan of the whole store, or for a restore that writes artifacts before their rows. */
export const storeLock = 0x73_74_6f_72;

/** Age at which an unpublished file counts as abandoned. A writer pauses for minutes at most. */
const abandonedMs = 2 * 3_600_000;

/**
 * Age of an unrecorded folder before it counts as an orphan. A younger one may come from an old version without claims.
 */
const legacyMs = 24 * 3_600_000;

/**
 * Scans the whole store for orphans: folders without a row or a claim, and files of folders that were never published.
 * An earlier version may leave unclaimed folders. One process scans at a time. Does nothing
 * while another process scans. Ages follow the database's clock, because the clock of one worker may be wrong.
 *
 * Keeps folders of projects that the database does not have. They may belong to another database: a service that starts
 * with a wrong `DATABASE_URL` would otherwise empty the store.
 *
 * @returns the number of orphans found
 */
export async function collectGarbage(
  db: Database,
  { olderThanMs = legacyMs, halfWrittenMs = abandonedMs } = {},
): Promise<number> {
  return db.transaction(async (tx) => {
    const [lock] = await tx.execute<{ acquired: boolean; nowMs: number }>(
      sql`select pg_try_advisory_xact_lock(${storeLock}) as acquired, extract(epoch from now())::float8 * 1000 as "nowMs"`,
    );
    if (!lock?.acquired) return 0;
    const ago = (ms: number) => new Date(lock.nowMs - ms);
    // The scan may list a large store between two queries. The time-out frees the lock if the process is cut off.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '15min'`);
    let leftovers = await store().removeLeftovers(ago(halfWrittenMs));
    let foreign = 0;
    for await (const unowned of findOrphans(tx, store(), ago(olderThanMs))) {
      const known = await ownedAmong(tx, [...new Set(unowned.map(projectFolder))]);
      const orphans = unowned.filter((key) => known.has(projectFolder(key)));
      foreign += unowned.length - orphans.length;
      if (orphans.length === 0) continue;
      logger().warn({ keys: orphans }, "orphaned artifacts will be deleted");
      await discardArtifacts(db, orphans);
      leftovers += orphans.length;
    }
    if (foreign > 0)
      logger().warn(
        { foreign },
        "artifacts of unknown projects are kept; storage:check -- --delete removes them",
      );
    return leftovers;
  });
}

/** Returns the folder of a key's project, `projects/<id>`. */
const projectFolder = (key: string) => key.split("/", 2).join("/");
