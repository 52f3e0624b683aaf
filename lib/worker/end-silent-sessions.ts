import { sql } from "drizzle-orm";
import type { Database } from "#db/client";

/**
 * Ends sessions of this service whose client says nothing in the midst of a transaction: its process is halted, and holds
 * locks that others wait for. The server does so by itself only between two statements, not in the midst of one whose
 * parameters have yet to come.
 *
 * @returns how many
 */
export async function endSilentSessions(db: Database, silentMs = 30_000): Promise<number> {
  const ended = await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
      and wait_event = 'ClientRead' and xact_start is not null and query not ilike 'copy%'
      and greatest(query_start, state_change) < clock_timestamp() - ${silentMs} * interval '1 ms'`);
  return ended.length;
}
