import { hashPassword } from "better-auth/crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { account, session, user } from "#db/schema/users";
import type { Member, UpdateMember } from "#lib/contract/members";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { auditedMember, findMember, lockMembers, rejectLastAdmin, rejectSelf } from "./members.ts";
import { presentMember, type UserRow } from "./present.ts";

/**
 * Changes a member. A new role applies from the next request. A new password, or disabling the account, ends all of
 * the member's sessions. Each of these ends the member's realtime connections; permitted ones subscribe again.
 *
 * @throws {DomainError} `member_not_found`; `validation_failed` for disabling the caller's own account and for the
 *   last admin
 */
export async function updateMember(
  ctx: Context,
  { userId, change }: { userId: string; change: UpdateMember },
): Promise<Member> {
  return ctx.db.transaction(async (tx) => {
    await lockMembers(tx);
    const member = await findMember(tx, userId);
    await requireIfMatch(ctx, async () => presentMember(member));
    if (change.role === "analyst") await rejectLastAdmin(tx, member, "role");
    if (change.disabled) {
      await rejectLastAdmin(tx, member, "disabled");
      rejectSelf(ctx, userId, "disabled", "disable");
    }
    const [row] = await tx
      .update(user)
      .set({
        name: change.name,
        role: change.role,
        disabledAt: change.disabled === undefined ? undefined : disabledAt(member, change.disabled),
        updatedAt: sql`now()`,
      })
      .where(eq(user.id, userId))
      .returning();
    if (change.password !== undefined) await setPassword(tx, userId, change.password);
    if (change.password !== undefined || change.disabled) {
      await tx.delete(session).where(eq(session.userId, userId));
    }
    if (row!.role !== member.role || change.password !== undefined || change.disabled) {
      await endConnections(tx, connectionUser.user(userId));
    }
    await recordAudit(tx, ctx, `member.${deedOf(change)}`, auditedMember(row!));
    return presentMember(row!);
  });
}

async function setPassword(tx: Transaction, userId: string, password: string): Promise<void> {
  await tx
    .update(account)
    .set({ password: await hashPassword(password), updatedAt: sql`now()` })
    .where(and(eq(account.userId, userId), eq(account.providerId, "credential")));
}

const disabledAt = (member: UserRow, disabled: boolean) =>
  disabled ? (member.disabledAt ?? new Date()) : null;

const deedOf = ({ disabled }: UpdateMember) =>
  disabled === undefined ? "updated" : disabled ? "disabled" : "enabled";
