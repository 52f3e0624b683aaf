import { type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { orphanedArtifacts } from "#db/schema/artifacts";

/**
 * Records folders for deletion when a row drops its reference but stays. For a deleted row, a trigger does so.
 *
 * @param keys keys of the folders; subfolders are deleted too
 */
export async function discardArtifacts(tx: Queryable, keys: readonly string[]): Promise<void> {
  await recordOrphans(tx, keys, sql`now()`);
}

/** Records folders that count as orphans from a time on, unless a transaction claims them. */
export async function recordOrphans(tx: Queryable, keys: readonly string[], dueAt: SQL): Promise<void> {
  await tx
    .insert(orphanedArtifacts)
    .values(keys.map((key) => ({ key, dueAt })))
    .onConflictDoUpdate({ target: orphanedArtifacts.key, set: { dueAt } });
}
