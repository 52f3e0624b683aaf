import { sql } from "drizzle-orm";
import { type Page, type PageRequest, Paging } from "#db/page";
import { apiKeys } from "#db/schema/access";
import { user } from "#db/schema/users";
import type { ListedMember } from "#lib/contract/members";
import { presentMember } from "#lib/domain/users/present";
import type { Context } from "#lib/platform/context/context";

const activeApiKeys = sql<number>`(
  select count(*)::int from ${apiKeys} made
  where made.created_by = "user".id and made.revoked_at is null
    and (made.expires_at is null or made.expires_at > now()))`;

/** Returns all members, oldest first. Only admins see e-mail addresses and numbers of API keys. */
export async function listMembers(
  { db, actor }: Pick<Context, "db" | "actor">,
  request: PageRequest = {},
): Promise<Page<ListedMember>> {
  const isAdmin = actor.kind === "session" && actor.role === "admin";
  const paging = new Paging([user.createdAt, user.id], request, { direction: "asc" });
  const rows = await db
    .select({ user, activeApiKeys, position: paging.position })
    .from(user)
    .where(paging.where)
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ user: row, activeApiKeys: count }) =>
    isAdmin
      ? { ...presentMember(row), activeApiKeys: count }
      : { ...presentMember(row), email: null, activeApiKeys: null },
  );
}
