import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import journal from "../../db/migrations/meta/_journal.json" with { type: "json" };

const timeoutMs = 3_000;

export type Readiness = { database: "ok" | "unreachable" | "not migrated" };

/** Whether requests can be answered: the database is there, and its schema is at least the one that this code knows. */
export async function checkReadiness(db: Database): Promise<Readiness> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null);
  });
  const applied = await Promise.race([lastMigration(db), late]);
  clearTimeout(timer);
  if (applied === null) return { database: "unreachable" };
  const newest = Math.max(...journal.entries.map((entry) => entry.when));
  return { database: applied >= newest ? "ok" : "not migrated" };
}

/** Epoch milliseconds of the newest migration that was applied; 0 where none was, null where nobody answers. */
async function lastMigration(db: Database): Promise<number | null> {
  try {
    const [found] = await db.execute<{ table: string | null }>(
      sql`select to_regclass('drizzle.__drizzle_migrations')::text as table`,
    );
    if (!found?.table) return 0;
    const [row] = await db.execute<{ at: string | null }>(
      sql`select max(created_at)::text as at from drizzle.__drizzle_migrations`,
    );
    return Number(row?.at ?? 0);
  } catch {
    return null;
  }
}
