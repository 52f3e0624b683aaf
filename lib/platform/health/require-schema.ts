import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { reasonOf } from "#lib/platform/errors/reason-of";
import { StartError } from "#lib/platform/errors/start-errors";
import { usableSchemaState } from "./usable-schema-state.ts";

/**
 * Checks that a command can use the database.
 *
 * @param mayBeOlder whether an earlier schema suffices, as for the backup before a migration
 * @throws {StartError} if the database is unreachable, or does not have the schema of this program
 */
export async function requireSchema(
  db: Pick<Database, "execute">,
  { mayBeOlder = false }: { mayBeOlder?: boolean } = {},
): Promise<void> {
  const state = await usableSchemaState(db);
  if (state === "older" && !(mayBeOlder && (await hasMigrations(db)))) {
    throw new StartError(
      "The database does not have the schema of this version. Start the service, or run npm run -s migrate, first.",
    );
  }
  if (state !== "unreachable") return;
  await db.execute(sql`select 1`).catch((cause: Error) => {
    const message = `The database cannot be used: ${reasonOf(cause.cause)}. Start the service, or correct DATABASE_URL.`;
    throw new StartError(message, { cause });
  });
  throw new StartError("The schema of the database could not be read in time. Try again.");
}

async function hasMigrations(db: Pick<Database, "execute">): Promise<boolean> {
  const [row] = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  );
  return row!.exists;
}
