import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { logger } from "#lib/platform/log/logger";
import { recordOrphans } from "./discard-artifacts.ts";

/** Lifetime of a claim. No upload and no job lasts that long. */
const heldFor = sql`now() + interval '6 hours'`;

/** Ends the claim in the transaction that writes the owning rows. */
export type ReleaseClaim = (tx: Transaction) => Promise<void>;

/**
 * Runs every write of artifacts by requests and jobs. Records the keys as orphans and calls `act`, whose last transaction
 * removes the keys from the record and makes the owning rows visible. After a crash at any point, each folder has a row
 * or is recorded for deletion. If the outcome of the commit is unknown, the record and the rows still agree.
 *
 * @param keys unique keys that are never reused
 * @param act writes the folders and calls `releaseClaim` in its last transaction, unless the row exists already
 */
export async function writeArtifacts<T>(
  db: Database,
  keys: readonly string[],
  act: (releaseClaim: ReleaseClaim) => Promise<T>,
): Promise<T> {
  if (keys.length === 0) return act(async () => {});
  await recordOrphans(db, keys, heldFor);
  try {
    return await act((tx) => releaseClaim(tx, keys));
  } catch (error) {
    await giveUp(db, keys).catch((err: unknown) =>
      logger().warn({ err, keys }, "unclaimed artifacts will be deleted later"),
    );
    throw error;
  }
}

async function releaseClaim(tx: Transaction, keys: readonly string[]): Promise<void> {
  const claimed = await tx
    .delete(orphanedArtifacts)
    .where(and(inArray(orphanedArtifacts.key, [...keys]), eq(orphanedArtifacts.attempts, 0)))
    .returning({ key: orphanedArtifacts.key });
  if (claimed.length < keys.length) {
    throw new Error(
      "Writing the artifacts took longer than their claim: they count as orphans now. Try again.",
    );
  }
}

/** Makes orphans due now. Skips keys whose claim a transaction has released, and keys that a running one has locked. */
async function giveUp(db: Database, keys: readonly string[]): Promise<void> {
  const free = db
    .select({ key: orphanedArtifacts.key })
    .from(orphanedArtifacts)
    .where(inArray(orphanedArtifacts.key, [...keys]))
    .for("update", { skipLocked: true });
  await db.update(orphanedArtifacts).set({ dueAt: sql`now()` }).where(inArray(orphanedArtifacts.key, free));
}
