import { lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { session } from "#db/schema/users";

/** Removes sessions that have ended. */
export async function forgetSessions(db: Database): Promise<void> {
  await db.delete(session).where(lt(session.expiresAt, sql`now() - interval '1 day'`));
}
