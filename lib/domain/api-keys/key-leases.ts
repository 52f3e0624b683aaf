import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { apiKeys, isActiveKey } from "#db/schema/access";
import { projects } from "#db/schema/projects";
import type { Scope } from "#lib/contract/api-keys";
import { Leases, outlast, ValueLease } from "#lib/platform/concurrency/leases";
import { perDatabase } from "#lib/platform/database/per-database";
import { countKeyUse } from "./count-uses.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";

/** How long a process accepts a key without another query. */
export const keyLeaseMs = 250;

const leasesOf = perDatabase("key leases", () => new Leases<ActiveKey | null>());

/** Returns the key if it is neither revoked nor expired, and counts one request with it; null otherwise. */
export async function findLeasedKey(db: Database, key: string): Promise<ActiveKey | null> {
  const hash = hashKey(key);
  const leased = await leasesOf(db).use(hash, async ({ requestedMs }) => {
    const active = isWellFormedKey(key) ? await findActiveKey(db, hash) : null;
    return new ValueLease(active, requestedMs, Math.min(keyLeaseMs, active?.validMs ?? 0));
  });
  if (leased !== null) countKeyUse(db, leased.id);
  return leased;
}

/** Waits until no process accepts a key that was invalid before this call. */
export const awaitKeyLeases = () => outlast(keyLeaseMs);

type ActiveKey = {
  id: string;
  projectId: string;
  createdBy: string;
  scopes: Scope[];
  allowedAddresses: string[] | null;
  /** False while the project is being deleted. The project then exists for no caller, not even for its keys. */
  projectIsThere: boolean;
  /** Milliseconds until the key expires, by the database's clock; infinite for a key without expiry. */
  validMs: number;
};

// In parentheses, because `and` adds none around its conditions.
const hasStaleUse = sql<boolean>`(${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} < now() - interval '1 minute')`;

/** Returns the key with this hash from the database; null if it is unknown, revoked or expired. */
async function findActiveKey(db: Database, hash: string): Promise<ActiveKey | null> {
  const validMs = sql<number>`coalesce(extract(epoch from ${apiKeys.expiresAt} - now()) * 1000, 'infinity')::float8`;
  const [row] = await db
    .select({
      id: apiKeys.id,
      projectId: apiKeys.projectId,
      createdBy: apiKeys.createdBy,
      scopes: apiKeys.scopes,
      allowedAddresses: apiKeys.allowedAddresses,
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
