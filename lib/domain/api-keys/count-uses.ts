import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { apiKeys, apiKeyUses } from "#db/schema/access";
import { logger } from "#lib/platform/log/logger";

/** How long counts wait in a process before they are added to what the database has. */
const waitMs = 10_000;

type Counts = { ofKeys: Map<string, number>; timer: NodeJS.Timeout | undefined };

const shared = globalThis as typeof globalThis & { keyUses?: WeakMap<Database, Counts> };

/**
 * Counts a request that came with a key. Costs no statement: what was counted is added by one for all keys every ten
 * seconds. A process that is killed takes so much with it at most; the counts are there to be looked at, nothing is
 * decided by them.
 */
export function countKeyUse(db: Database, keyId: string): void {
  const counts = countsOf(db);
  counts.ofKeys.set(keyId, (counts.ofKeys.get(keyId) ?? 0) + 1);
  counts.timer ??= setTimeout(() => {
    addKeyUses(db).catch((err) => logger().warn({ err }, "requests of keys are added later"));
  }, waitMs).unref();
}

/**
 * Adds what was counted to the day that the database has now. Keys that are gone by then are left out; where it fails
 * the counts wait for the next time.
 */
export async function addKeyUses(db: Database): Promise<void> {
  const counts = countsOf(db);
  clearTimeout(counts.timer);
  counts.timer = undefined;
  const taken = counts.ofKeys;
  if (taken.size === 0) return;
  counts.ofKeys = new Map();
  try {
    // Waits only for other processes that do this, in the order of the keys: a key that is being deleted is passed over.
    await db.execute(sql`
      with held as materialized (
        select ${apiKeys.id}, counted.requests::bigint as requests
        from jsonb_each_text(${JSON.stringify(Object.fromEntries(taken))}::jsonb) as counted (key_id, requests)
        join ${apiKeys} on ${apiKeys.id} = counted.key_id::uuid
        for key share of ${apiKeys} skip locked
      )
      insert into ${apiKeyUses} (api_key_id, day, requests)
      select id, (now() at time zone 'UTC')::date, requests from held order by id
      on conflict (api_key_id, day) do update set requests = ${apiKeyUses}.requests + excluded.requests`);
  } catch (error) {
    for (const [id, count] of taken) counts.ofKeys.set(id, (counts.ofKeys.get(id) ?? 0) + count);
    throw error;
  }
}

function countsOf(db: Database): Counts {
  shared.keyUses ??= new WeakMap();
  let counts = shared.keyUses.get(db);
  if (counts === undefined) {
    counts = { ofKeys: new Map(), timer: undefined };
    shared.keyUses.set(db, counts);
  }
  return counts;
}
