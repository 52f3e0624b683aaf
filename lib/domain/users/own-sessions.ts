import { and, eq, gt, sql } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { session } from "#db/schema/users";
import type { EndedSessions, OwnSession } from "#lib/contract/account";
import type { Actor, Context } from "#lib/platform/context/context";
import { endSessions } from "./sessions.ts";

/** Context of a member's operations on the own account. */
export type OwnContext = Context & { actor: Extract<Actor, { kind: "session" }> };

/** Returns the caller's sessions that have not expired, newest first. */
export async function listOwnSessions(
  { db, actor }: OwnContext,
  request: PageRequest = {},
): Promise<Page<OwnSession>> {
  const paging = new Paging([session.createdAt, session.id], request);
  const rows = await db
    .select({ session, position: paging.position })
    .from(session)
    .where(and(eq(session.userId, actor.userId), gt(session.expiresAt, sql`now()`), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ session: row }) => ({
    id: row.id,
    isCurrent: row.id === actor.sessionId,
    userAgent: row.userAgent || null,
    address: row.ipAddress || null,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.updatedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}

/** Ends one of the caller's sessions, or all but the current one. The ID of another member's session ends none. */
export async function endOwnSessions(
  { db, actor }: OwnContext,
  { sessionId }: { sessionId?: string | undefined },
): Promise<EndedSessions> {
  const which = sessionId === undefined ? { except: actor.sessionId } : { only: sessionId };
  const endedSessions = await db.transaction((tx) => endSessions(tx, actor.userId, which));
  return { endedSessions };
}
