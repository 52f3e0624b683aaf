import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { inTime } from "#db/pool/in-time";
import journal from "../../../db/migrations/meta/_journal.json" with { type: "json" };

/**
 * `older`: migrations of this program are missing. `newer`: some were applied that this program does not know.
 * `unreleased`: the first one is not this program's, so none of its migrations fits (docs/decisions/0181).
 */
export type SchemaState = "current" | "older" | "newer" | "unreleased" | "unreachable";

const times = journal.entries.map((entry) => entry.when);
const [oldest, newest] = [Math.min(...times), Math.max(...times)];
const timeoutMs = 3_000;

/** Compares the database's schema with the schema of this program. */
export async function schemaState(db: Pick<Database, "execute">): Promise<SchemaState> {
  const applied = await inTime(appliedMigrations(db), timeoutMs).catch(() => null);
  if (applied === null) return "unreachable";
  if (applied.newest === 0) return "older";
  if (applied.oldest !== oldest) return "unreleased";
  if (applied.newest === newest) return "current";
  return applied.newest < newest ? "older" : "newer";
}

type Applied = { oldest: number; newest: number };

/** Epoch milliseconds of the oldest and the newest applied migration: 0 if there are none. */
async function appliedMigrations(db: Pick<Database, "execute">): Promise<Applied> {
  const [first] = await db.execute<{ table: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as table`,
  );
  if (!first?.table) return { oldest: 0, newest: 0 };
  const [row] = await db.execute<{ oldest: string | null; newest: string | null }>(
    sql`select min(created_at)::text as oldest, max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  );
  return { oldest: Number(row?.oldest ?? 0), newest: Number(row?.newest ?? 0) };
}
