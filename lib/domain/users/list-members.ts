import { type Page, type PageRequest, Paging } from "#db/page";
import { user } from "#db/schema/users";
import type { Context } from "#lib/context/context";
import type { Member } from "#lib/contract/members";
import { presentMember } from "./present.ts";

/** Everybody, who came first first. */
export async function listMembers(
  { db }: Pick<Context, "db">,
  request: PageRequest = {},
): Promise<Page<Member>> {
  const paging = new Paging([user.createdAt, user.id], request, "oldest first");
  const rows = await db
    .select({ user, position: paging.position })
    .from(user)
    .where(paging.where)
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, (row) => presentMember(row.user));
}
