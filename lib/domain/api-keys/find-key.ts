import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { apiKeys, isActiveKey } from "#db/schema/access";
import { projects } from "#db/schema/projects";

export type ActiveKey = {
  id: string;
  projectId: string;
  createdBy: string;
  /** False while the project is being deleted. The project then exists for no caller, not even for its keys. */
  projectIsThere: boolean;
  /** Milliseconds until the key expires, by the database's clock; infinite for a key without expiry. */
  validMs: number;
};

// In parentheses, because `and` adds none around its conditions.
const hasStaleUse = sql<boolean>`(${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} < now() - interval '1 minute')`;

/** Returns the key with this hash from the database; null if it is unknown, revoked or expired. */
export async function findActiveKey(db: Database, hash: string): Promise<ActiveKey | null> {
  const validMs = sql<number>`coalesce(extract(epoch from ${apiKeys.expiresAt} - now()) * 1000, 'infinity')::float8`;
  const [row] = await db
    .select({
      id: apiKeys.id,
      projectId: apiKeys.projectId,
      createdBy: apiKeys.createdBy,
      projectIsThere: sql<boolean>`${projects.deletedAt} is null`,
      validMs,
      hasStaleUse,
    })
    .from(apiKeys)
    .innerJoin(projects, eq(projects.id, apiKeys.projectId))
    .where(and(eq(apiKeys.hash, hash), isActiveKey));
  if (!row) return null;
  const { hasStaleUse: noteUse, ...active } = row;
  if (noteUse) await noteKeyUse(db, row.id);
  return active;
}

/** Records the key's use, at most once a minute over all processes. */
async function noteKeyUse(db: Database, keyId: string): Promise<void> {
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(apiKeys.id, keyId), hasStaleUse));
}
