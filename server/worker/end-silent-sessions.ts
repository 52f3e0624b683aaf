import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { applicationName } from "#db/pool/pooled-connection";

/**
 * Ends sessions of this service whose client stopped within a statement, before it sent all parameters or rows. The
 * client's process is halted or disconnected, but its session still holds locks. The server's time-outs do not cover
 * this state: they limit the execution of a statement and the pause between two statements.
 *
 * @param silentMs minimum duration of the statement so far; must exceed the time that sending any statement takes
 * @returns the number of ended sessions
 */
export async function endSilentSessions(db: Database, silentMs = 30_000): Promise<number> {
  const ended = await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name = ${applicationName}
      and state = 'active' and wait_event = 'ClientRead'
      and state_change < clock_timestamp() - ${silentMs} * interval '1 ms'`);
  return ended.length;
}
