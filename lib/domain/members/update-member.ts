import { hashPassword } from "better-auth/crypto";
import { eq, sql } from "drizzle-orm";
import { user } from "#db/schema/users";
import type { AuditChange } from "#lib/contract/audit";
import type { Member, UpdateMember } from "#lib/contract/members";
import {
  auditedMember,
  auditedPassword,
  findMember,
  lockMembers,
  rejectLastAdmin,
  rejectOwnPassword,
  rejectSelf,
} from "#lib/domain/users/members";
import { setPassword } from "#lib/domain/users/passwords";
import { presentMember, type UserRow } from "#lib/domain/users/present";
import { endSessions } from "#lib/domain/users/sessions";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";

/**
 * Changes a member. A new role applies from the next request. A new password, or disabling the account, ends all of
 * the member's sessions; a new password also ends the known devices. Each of these ends the member's realtime connections; permitted ones subscribe again.
 *
 * @throws {DomainError} `member_not_found`; `validation_failed` for disabling the caller's own account, for its password, and for the
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
    if (change.password !== undefined) rejectOwnPassword(ctx, userId);
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
    if (change.password !== undefined) {
      await setPassword(tx, userId, await hashPassword(change.password));
    }
    if (change.password !== undefined || change.disabled) {
      await endSessions(tx, userId);
    } else if (row!.role !== member.role) {
      await endConnections(tx, connectionUser.user(userId));
    }
    await recordChange(tx, ctx, `member.${deedOf(change)}`, {
      ...auditedMember(row!),
      changes: changesOf(member, row!, change),
    });
    return presentMember(row!);
  });
}

/** Returns the changes for the audit log. */
function changesOf(before: UserRow, after: UserRow, { password }: UpdateMember): AuditChange[] {
  const fieldsOf = ({ name, role, disabledAt }: UserRow) => ({ name, role, disabled: disabledAt !== null });
  const changes = changesBetween(fieldsOf(before), fieldsOf(after));
  return password === undefined ? changes : [...changes, auditedPassword];
}

const disabledAt = (member: UserRow, disabled: boolean) =>
  disabled ? (member.disabledAt ?? new Date()) : null;

const deedOf = ({ disabled }: UpdateMember) =>
  disabled === undefined ? "updated" : disabled ? "disabled" : "enabled";
