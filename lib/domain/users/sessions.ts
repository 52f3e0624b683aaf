import { and, eq, gt, isNull, lt, ne, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { session, user } from "#db/schema/users";
import type { Role } from "#lib/contract/members";
import { authSecret } from "#lib/platform/config/secrets";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";
import { database } from "#lib/platform/database/process-database";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { roleOf } from "./present.ts";
import { sessionToken } from "./session-cookie.ts";

type SessionUser = { id: string; name: string; email: string; role: Role; sessionId: string };

/** A use is recorded this long after the recorded one, so that few requests write. */
const recordedEvery = sql`interval '5 minutes'`;

/**
 * Returns the user of the request's session cookie; null without a valid session. Does not use the sign-in library:
 * this takes one query, and distinguishes an unavailable database from other errors.
 */
export async function sessionUser(headers: Pick<Headers, "get">): Promise<SessionUser | null> {
  const token = sessionToken(headers, authSecret());
  if (token === null) return null;
  const [row] = await database()
    .select({
      id: user.id,
      name: user.name,
      email: user.email,
      role: user.role,
      sessionId: session.id,
      isRecorded: sql<boolean>`${session.updatedAt} > now() - ${recordedEvery}`,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.token, token), gt(session.expiresAt, sql`now()`), isNull(user.disabledAt)));
  if (!row) return null;
  const { isRecorded, ...record } = row;
  if (!isRecorded) await recordUse(record.sessionId, headers.get(clientAddressHeader));
  return { ...record, role: roleOf(record.role) };
}

/** Stores when and from where a session was used last. */
async function recordUse(sessionId: string, ipAddress: string | null): Promise<void> {
  await database()
    .update(session)
    .set({ updatedAt: sql`now()`, ...(ipAddress !== null && { ipAddress }) })
    .where(eq(session.id, sessionId));
}

/**
 * Ends sessions of a user and the user's realtime connections; those of other sessions subscribe again.
 *
 * @returns the number of ended sessions
 */
export async function endSessions(
  tx: Transaction,
  userId: string,
  { only, except }: { only?: string; except?: string | undefined } = {},
): Promise<number> {
  const ended = await tx
    .delete(session)
    .where(
      and(
        eq(session.userId, userId),
        only === undefined ? undefined : eq(session.id, only),
        except === undefined ? undefined : ne(session.id, except),
      ),
    )
    .returning({ id: session.id });
  await endConnections(tx, connectionUser.user(userId));
  return ended.length;
}

/** Deletes sessions that ended more than a day ago. */
export async function forgetSessions(db: Database): Promise<void> {
  await db.delete(session).where(lt(session.expiresAt, sql`now() - interval '1 day'`));
}
