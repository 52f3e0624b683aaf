import { type Page, type PageRequest, Paging } from "#db/page";
import { user } from "#db/schema/users";
import type { Member } from "#lib/contract/members";
import type { Context } from "#lib/platform/context/context";
import { presentMember } from "./present.ts";

/** Returns all members, oldest first. Only admins see e-mail addresses. */
export async function listMembers(
  { db, actor }: Pick<Context, "db" | "actor">,
  request: PageRequest = {},
): Promise<Page<Member>> {
  const isAdmin = actor.kind === "session" && actor.role === "admin";
  const paging = new Paging([user.createdAt, user.id], request, "oldest first");
  const rows = await db
    .select({ user, position: paging.position })
    .from(user)
    .where(paging.where)
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ user: row }) =>
    isAdmin ? presentMember(row) : { ...presentMember(row), email: null },
  );
}
