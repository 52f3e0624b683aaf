import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client";
import { countKeyUse } from "./count-uses.ts";
import { type ActiveKey, findActiveKey } from "./find-key.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";

/** How long a process takes a key that it has found in the database for a good one without asking again. */
export const keyLeaseMs = 250;
/** Timers may fire a little early, and clocks of two machines do not run at quite the same speed. */
const spareMs = 10;
const mostLeases = 10_000;

type Lease = { found: Promise<ActiveKey | null>; untilMs: number };

const shared = globalThis as typeof globalThis & { keyLeases?: WeakMap<Database, Map<string, Lease>> };

/**
 * The key if it is one of ours, neither revoked nor expired, and one more request of it; null otherwise. Asks the database at most once in
 * `keyLeaseMs` for each key that is good. A lease counts from before the database was asked, on a clock that cannot be
 * set, so that it ends in time in a process that has lost the database, too.
 */
export async function findLeasedKey(db: Database, key: string): Promise<ActiveKey | null> {
  if (!isWellFormedKey(key)) return null;
  const leases = leasesOf(db);
  const hash = hashKey(key);
  const nowMs = performance.now();
  const held = leases.get(hash);
  if (held && nowMs < held.untilMs) {
    const found = await held.found;
    if (found !== null && nowMs < held.untilMs) {
      countKeyUse(db, found.id);
      return found;
    }
  }
  const lease: Lease = { found: findActiveKey(db, hash), untilMs: nowMs + keyLeaseMs };
  keep(leases, hash, lease);
  const found = await lease.found.catch((error) => {
    if (leases.get(hash) === lease) leases.delete(hash);
    throw error;
  });
  if (found === null) {
    leases.delete(hash);
    return null;
  }
  lease.untilMs = Math.min(lease.untilMs, nowMs + found.validMs);
  countKeyUse(db, found.id);
  return found;
}

/**
 * To be awaited between writing that a key is no longer good and saying so: afterwards no process lets a request in by
 * what it knew before.
 */
export async function outliveKeyLeases(): Promise<void> {
  await delay(keyLeaseMs + spareMs);
}

function leasesOf(db: Database): Map<string, Lease> {
  shared.keyLeases ??= new WeakMap();
  let leases = shared.keyLeases.get(db);
  if (leases === undefined) {
    leases = new Map();
    shared.keyLeases.set(db, leases);
  }
  return leases;
}

/** Written last, so that the first in the map is the one that has not been asked for longest. */
function keep(leases: Map<string, Lease>, hash: string, lease: Lease): void {
  leases.delete(hash);
  leases.set(hash, lease);
  if (leases.size <= mostLeases) return;
  for (const oldest of leases.keys()) {
    leases.delete(oldest);
    return;
  }
}
