import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

const migrationsFolder = path.join(import.meta.dirname, "migrations");

/** Any number that nothing else locks; it spells "migr" in ASCII. */
const migrationLock = 0x6d_69_67_72;

/**
 * Brings a database to the present schema; one that has it already stays as it is. Several processes may do it at
 * once: an advisory lock of the session, which the end of the connection gives back, lets them pass one by one.
 */
export async function migrate(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await applyMigrations(drizzle({ client: sql }), { migrationsFolder });
  } finally {
    await sql.end({ timeout: 5 });
  }
}
