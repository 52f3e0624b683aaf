import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { database } from "#db/client";
import { session, user } from "#db/schema/users";
import { authSecret } from "#lib/config/auth-secret";
import type { Role } from "#lib/contract/members";
import { roleOf } from "./present.ts";
import { sessionToken } from "./session-cookie.ts";

export type SessionUser = { id: string; name: string; email: string; role: Role };

/**
 * Who is signed in by the cookies of a request; null where nobody is, or the session has ended. Read here and not by the
 * sign-in library: one query, and a database that is away is told apart from an error.
 */
export async function sessionUser(headers: Pick<Headers, "get">): Promise<SessionUser | null> {
  const token = sessionToken(headers, authSecret());
  if (token === null) return null;
  const [row] = await database()
    .select({ id: user.id, name: user.name, email: user.email, role: user.role })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.token, token), gt(session.expiresAt, sql`now()`), isNull(user.disabledAt)));
  return row ? { ...row, role: roleOf(row.role) } : null;
}
