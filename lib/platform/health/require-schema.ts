import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { reasonOf } from "#lib/platform/errors/reason-of";
import { StartError } from "#lib/platform/errors/start-errors";
import { usableSchemaState } from "./usable-schema-state.ts";

/**
 * Checks that a command can use the database.
 *
 * @throws {StartError} if the database is unreachable, or does not have the schema of this program
 */
export async function requireSchema(db: Pick<Database, "execute">): Promise<void> {
  const state = await usableSchemaState(db);
  if (state === "older") {
    throw new StartError(
      "The database does not have the schema of this version. Start the service, or run npm run -s migrate, first.",
    );
  }
  if (state === "current") return;
  await db.execute(sql`select 1`).catch((cause: Error) => {
    const message = `The database cannot be used: ${reasonOf(cause.cause)}. Start the service, or correct DATABASE_URL.`;
    throw new StartError(message, { cause });
  });
}
