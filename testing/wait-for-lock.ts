import type { Sql } from "postgres";

/** Waits until at least `waiting` connections to this database wait for a lock. */
export async function waitForLock(sql: Sql, waiting = 1): Promise<void> {
  for (;;) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row!.count >= waiting) return;
  }
}
