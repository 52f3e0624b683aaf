import path from "node:path";
import { DrizzleQueryError } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import type { Database } from "./client.ts";

const migrationsFolder = path.join(import.meta.dirname, "migrations");

/** Key of an advisory lock: "migr" in ASCII. */
const migrationLock = 0x6d_69_67_72;

/**
 * Migrates a database to the current schema. Does nothing if the schema is current. Concurrent calls run one at a time
 * under a session advisory lock, which the end of the connection releases.
 *
 * @param check throws if the database must not be migrated; runs under the lock, before any change
 * @throws the error of `check`, or PostgreSQL's own
 */
export async function migrate(
  url: string,
  check: (db: Pick<Database, "execute">) => Promise<unknown> = async () => {},
): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const db = drizzle({ client: sql });
  try {
    await sql`select pg_advisory_lock(${migrationLock})`;
    await check(db);
    await applyMigrations(db, { migrationsFolder });
  } catch (error) {
    // The message of drizzle's error is the text of the whole migration.
    throw error instanceof DrizzleQueryError ? error.cause : error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
