import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { looseArtifacts } from "#db/schema/artifacts";

/**
 * Has folders removed that a row owned until this transaction and goes on without. Rows that are deleted do so by
 * themselves.
 *
 * @param keys of folders; all below them goes too
 */
export async function discardArtifacts(tx: Pick<Database, "insert">, keys: readonly string[]): Promise<void> {
  await tx
    .insert(looseArtifacts)
    .values(keys.map((key) => ({ key, dueAt: sql`now()` })))
    .onConflictDoUpdate({ target: looseArtifacts.key, set: { dueAt: sql`now()` } });
}
