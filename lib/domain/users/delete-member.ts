import { eq } from "drizzle-orm";
import { user } from "#db/schema/users";
import type { Context } from "#lib/context/context";
import { requireMatch } from "#lib/context/require-match";
import type { Member } from "#lib/contract/members";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { memberDeed } from "#lib/users/create-first-admin";
import { findMember, refuseLastAdmin, refuseSelf } from "#lib/users/keep-an-admin";
import { lockMembers } from "#lib/users/lock-members";
import { presentMember } from "./present.ts";

/**
 * Removes a member, whose sessions end with it. Keys that the member created go on: they belong to their projects.
 *
 * @throws {DomainError} `member_not_found`; `validation_failed` for oneself and where no admin would be left
 */
export async function deleteMember(ctx: Context, { userId }: { userId: string }): Promise<Member> {
  return ctx.db.transaction(async (tx) => {
    await lockMembers(tx);
    const member = await findMember(tx, userId);
    await requireMatch(ctx, async () => presentMember(member));
    await refuseLastAdmin(tx, member, "userId");
    refuseSelf(ctx, userId, "userId", "remove");
    await tx.delete(user).where(eq(user.id, userId));
    await recordAudit(tx, ctx, memberDeed("deleted", member));
    return presentMember(member);
  });
}
