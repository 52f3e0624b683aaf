import { eq } from "drizzle-orm";
import { user } from "#db/schema/users";
import type { Member } from "#lib/contract/members";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { findMember, lockMembers, memberAuditEntry, refuseLastAdmin, refuseSelf } from "./members.ts";
import { presentMember } from "./present.ts";

/**
 * Removes a member and the member's sessions and realtime connections. API keys that the member created stay valid,
 * because they belong to their projects.
 *
 * @throws {DomainError} `member_not_found`; `validation_failed` for the caller's own account and for the last admin
 */
export async function deleteMember(ctx: Context, { userId }: { userId: string }): Promise<Member> {
  return ctx.db.transaction(async (tx) => {
    await lockMembers(tx);
    const member = await findMember(tx, userId);
    await requireIfMatch(ctx, async () => presentMember(member));
    await refuseLastAdmin(tx, member, "userId");
    refuseSelf(ctx, userId, "userId", "remove");
    await tx.delete(user).where(eq(user.id, userId));
    await endConnections(tx, connectionUser.user(userId));
    await recordAudit(tx, ctx, memberAuditEntry("deleted", member));
    return presentMember(member);
  });
}
