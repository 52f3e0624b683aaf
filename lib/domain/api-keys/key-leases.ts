import type { Database } from "#db/client";
import { Leases, outlast, ValueLease } from "#lib/platform/concurrency/leases";
import { perDatabase } from "#lib/platform/database/per-database";
import { countKeyUse } from "./count-uses.ts";
import { type ActiveKey, findActiveKey } from "./find-key.ts";
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
