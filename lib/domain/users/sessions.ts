import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { session, user } from "#db/schema/users";
import type { Role } from "#lib/contract/members";
import { authSecret } from "#lib/platform/config/secrets";
import { database } from "#lib/platform/database/process-database";
import { roleOf } from "./present.ts";
import { sessionToken } from "./session-cookie.ts";

type SessionUser = { id: string; name: string; email: string; role: Role; sessionId: string };

/**
 * Returns the user of the request's session cookie; null without a valid session. Does not use the sign-in library:
 * this takes one query, and distinguishes an unavailable database from other errors.
 */
export async function sessionUser(headers: Pick<Headers, "get">): Promise<SessionUser | null> {
  const token = sessionToken(headers, authSecret());
  if (token === null) return null;
  const [row] = await database()
    .select({ id: user.id, name: user.name, email: user.email, role: user.role, sessionId: session.id })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.token, token), gt(session.expiresAt, sql`now()`), isNull(user.disabledAt)));
  return row ? { ...row, role: roleOf(row.role) } : null;
}

/** Deletes sessions that ended more than a day ago. */
export async function forgetSessions(db: Database): Promise<void> {
  await db.delete(session).where(lt(session.expiresAt, sql`now() - interval '1 day'`));
}
