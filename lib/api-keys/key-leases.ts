import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client";
import { countKeyUse } from "#lib/domain/api-keys/count-uses";
import { type ActiveKey, findActiveKey } from "#lib/domain/api-keys/find-key";
import { hashKey, isWellFormedKey } from "#lib/domain/api-keys/key-format";
import { type Found, Leases } from "#lib/turns/leases";

/** How long a process takes a key that it has found in the database for a good one without asking again. */
export const keyLeaseMs = 250;
/** Timers may fire a little early, and clocks of two machines do not run at quite the same speed. */
const spareMs = 10;

const shared = globalThis as typeof globalThis & { keyLeases?: WeakMap<Database, Leases<ActiveKey | null>> };

/**
 * The key if it is one of ours, neither revoked nor expired, and one more request of it; null otherwise. Asks the
 * database a few times in `keyLeaseMs` at most for each key that is good.
 */
export async function findLeasedKey(db: Database, key: string): Promise<ActiveKey | null> {
  const hash = hashKey(key);
  const found = await leasesOf(db).find(hash, () => lookFor(db, key, hash));
  if (found !== null) countKeyUse(db, found.id);
  return found;
}

async function lookFor(db: Database, key: string, hash: string): Promise<Found<ActiveKey | null>> {
  const value = isWellFormedKey(key) ? await findActiveKey(db, hash) : null;
  return { value, lastsMs: value === null ? 0 : Math.min(keyLeaseMs, value.validMs) };
}

/**
 * To be awaited between writing that a key is no longer good and saying so: afterwards no process lets a request in by
 * what it knew before.
 */
export async function outliveKeyLeases(): Promise<void> {
  await delay(keyLeaseMs + spareMs);
}

function leasesOf(db: Database): Leases<ActiveKey | null> {
  shared.keyLeases ??= new WeakMap();
  let leases = shared.keyLeases.get(db);
  if (leases === undefined) {
    leases = new Leases();
    shared.keyLeases.set(db, leases);
  }
  return leases;
}
