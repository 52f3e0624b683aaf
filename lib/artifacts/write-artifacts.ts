import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { looseArtifacts } from "#db/schema/artifacts";
import { logger } from "#lib/platform/log/logger";

/** Longer than anything takes that writes an artifact: no upload and no job lasts that long. */
const heldFor = sql`now() + interval '6 hours'`;

/** Makes the artifacts owned, in the transaction of the rows that own them from then on. */
export type Claim = (tx: Transaction) => Promise<void>;

/**
 * The one way to make artifacts: their names are recorded as loose, then they are written, then a transaction takes the
 * names out of the record and makes the rows that own them visible. So whatever dies in between, in whatever way, each
 * folder of the store is either owned by a row or known to be nobody's, and is removed then. Where the outcome of the
 * commit is not known, nobody has to decide: the record shares its fate.
 *
 * @param keys names that nothing else is ever written under
 * @param act writes, and calls `claim` in its last transaction; not at all for folders of a row that is there already
 */
export async function writeArtifacts<T>(
  db: Database,
  keys: readonly string[],
  act: (claim: Claim) => Promise<T>,
): Promise<T> {
  if (keys.length === 0) return act(async () => {});
  await db
    .insert(looseArtifacts)
    .values(keys.map((key) => ({ key, dueAt: heldFor })))
    .onConflictDoUpdate({ target: looseArtifacts.key, set: { dueAt: heldFor } });
  try {
    return await act((tx) => claim(tx, keys));
  } catch (error) {
    await giveUp(db, keys).catch((err: unknown) =>
      logger().warn({ err, keys }, "artifacts that were not kept are removed later"),
    );
    throw error;
  }
}

async function claim(tx: Transaction, keys: readonly string[]): Promise<void> {
  const claimed = await tx
    .delete(looseArtifacts)
    .where(and(inArray(looseArtifacts.key, [...keys]), eq(looseArtifacts.attempts, 0)))
    .returning({ key: looseArtifacts.key });
  if (claimed.length < keys.length) {
    throw new Error("It took so long to write artifacts that they count as left behind.");
  }
}

/** What a commit has claimed is not there any more; what one is just about to claim is locked, and waits its time. */
async function giveUp(db: Database, keys: readonly string[]): Promise<void> {
  const free = db
    .select({ key: looseArtifacts.key })
    .from(looseArtifacts)
    .where(inArray(looseArtifacts.key, [...keys]))
    .for("update", { skipLocked: true });
  await db.update(looseArtifacts).set({ dueAt: sql`now()` }).where(inArray(looseArtifacts.key, free));
}
