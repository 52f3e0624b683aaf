import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { apiKeys, apiKeyUses } from "#db/schema/access";
import { perDatabase } from "#lib/platform/database/per-database";
import { logger } from "#lib/platform/log/logger";

/** Interval at which a process adds its counts to the database. */
const waitMs = 10_000;

type Counts = { ofKeys: Map<string, number>; timer: NodeJS.Timeout | undefined };

const countsOf = perDatabase("key uses", (): Counts => ({ ofKeys: new Map(), timer: undefined }));

/**
 * Counts a request of an API key without a statement. Every ten seconds, one statement adds the counts of all keys. A
 * killed process loses at most the counts of ten seconds. The counts are informational only.
 */
export function countKeyUse(db: Database, keyId: string): void {
  const counts = countsOf(db);
  counts.ofKeys.set(keyId, (counts.ofKeys.get(keyId) ?? 0) + 1);
  counts.timer ??= setTimeout(() => {
    addKeyUses(db).catch((err) => logger().warn({ err }, "requests of keys are added later"));
  }, waitMs).unref();
}

/**
 * Adds the counts to the database's current day. Skips deleted keys.
 *
 * @throws the error of the statement; the counts then wait for the next call
 */
export async function addKeyUses(db: Database): Promise<void> {
  const counts = countsOf(db);
  clearTimeout(counts.timer);
  counts.timer = undefined;
  const taken = counts.ofKeys;
  if (taken.size === 0) return;
  counts.ofKeys = new Map();
  try {
    // Waits only for other processes that run this statement, in key order. A key that is being deleted is skipped.
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
