import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { applicationName } from "#db/pool/pooled-connection";

/**
 * Ends sessions of this service whose client says nothing in the midst of a statement, whose parameters or rows have yet to
 * come: its process is halted or cut off, and holds locks that others wait for. The server looks only for how long it works
 * at a statement itself, and for how long a session rests between two.
 *
 * @param silentMs longer than any client waits for an answer
 * @returns how many
 */
export async function endSilentSessions(db: Database, silentMs = 30_000): Promise<number> {
  const ended = await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name = ${applicationName}
      and state = 'active' and wait_event = 'ClientRead'
      and state_change < clock_timestamp() - ${silentMs} * interval '1 ms'`);
  return ended.length;
}
