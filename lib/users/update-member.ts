import { hashPassword } from "better-auth/crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { account, session, user } from "#db/schema/users";
import { recordAudit } from "#lib/audit/record-audit";
import type { Context } from "#lib/context/context";
import type { Member, Role } from "#lib/contract/members";
import { memberDeed } from "./create-first-admin.ts";
import { findMember, refuseLastAdmin } from "./keep-an-admin.ts";
import { lockMembers } from "./lock-members.ts";
import { presentMember } from "./present.ts";

type Change = { name?: string | undefined; role?: Role | undefined; password?: string | undefined };

/**
 * Changes a member. A new role holds from the next request on; a new password ends all of the member's sessions.
 *
 * @throws {DomainError} `member_not_found`; `validation_failed` where no admin would be left
 */
export async function updateMember(
  ctx: Context,
  { userId, change }: { userId: string; change: Change },
): Promise<Member> {
  return ctx.db.transaction(async (tx) => {
    await lockMembers(tx);
    const member = await findMember(tx, userId);
    if (change.role === "analyst") await refuseLastAdmin(tx, member, "role");
    const [row] = await tx
      .update(user)
      .set({
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.role === undefined ? {} : { role: change.role }),
        updatedAt: sql`now()`,
      })
      .where(eq(user.id, userId))
      .returning();
    if (change.password !== undefined) await setPassword(tx, userId, change.password);
    await recordAudit(tx, ctx, memberDeed("updated", row!));
    return presentMember(row!);
  });
}

async function setPassword(tx: Transaction, userId: string, password: string): Promise<void> {
  await tx
    .update(account)
    .set({ password: await hashPassword(password), updatedAt: sql`now()` })
    .where(and(eq(account.userId, userId), eq(account.providerId, "credential")));
  await tx.delete(session).where(eq(session.userId, userId));
}
