import { eq } from "drizzle-orm";
import { user } from "#db/schema/users";
import { recordAudit } from "#lib/audit/record-audit";
import type { Context } from "#lib/context/context";
import type { Member } from "#lib/contract/members";
import { DomainError } from "#lib/errors/domain-error";
import { memberDeed } from "./create-first-admin.ts";
import { findMember, refuseLastAdmin } from "./keep-an-admin.ts";
import { lockMembers } from "./lock-members.ts";
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
    await refuseLastAdmin(tx, member, "userId");
    if (ctx.actor.userId === userId) {
      const message = "You cannot remove yourself: ask another admin.";
      throw new DomainError("validation_failed", message, {
        details: [{ field: "userId", code: "own_account", message }],
      });
    }
    await tx.delete(user).where(eq(user.id, userId));
    await recordAudit(tx, ctx, memberDeed("deleted", member));
    return presentMember(member);
  });
}
