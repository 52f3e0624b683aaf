import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import journal from "../../db/migrations/meta/_journal.json" with { type: "json" };

/** `older`: migrations of this program are missing. `newer`: some were applied that this program does not know. */
export type SchemaState = "current" | "older" | "newer" | "unreachable";

const newest = Math.max(...journal.entries.map((entry) => entry.when));
const timeoutMs = 3_000;

/** How the database's schema and the one that this program was written for stand to each other. */
export async function schemaState(db: Database): Promise<SchemaState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null);
  });
  const applied = await Promise.race([lastMigration(db), late]);
  clearTimeout(timer);
  if (applied === null) return "unreachable";
  if (applied === newest) return "current";
  return applied < newest ? "older" : "newer";
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
