import { asc } from "drizzle-orm";
import { user } from "#db/schema/users";
import type { Context } from "#lib/context/context";
import type { Member } from "#lib/contract/members";
import { presentMember } from "./present.ts";

/** Everybody who can sign in, who came first first. */
export async function listMembers({ db }: Pick<Context, "db">): Promise<Member[]> {
  const rows = await db.select().from(user).orderBy(asc(user.createdAt), asc(user.id));
  return rows.map(presentMember);
}
