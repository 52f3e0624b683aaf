import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { apiKeys, isActiveKey } from "#db/schema/access";
import { user } from "#db/schema/users";
import type { Member } from "#lib/contract/members";
import { awaitKeyLeases } from "#lib/domain/api-keys/key-leases";
import { recordRevocation } from "#lib/domain/api-keys/revoke-api-key";
import { lockProjectRows } from "#lib/domain/projects/lock-project";
import {
  auditedMember,
  findMember,
  lockMembers,
  rejectLastAdmin,
  rejectSelf,
} from "#lib/domain/users/members";
import { presentMember } from "#lib/domain/users/present";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";

/**
 * Removes a member and the member's sessions and realtime connections. API keys that the member created belong to their
 * projects: they stay valid unless `revokeApiKeys` is true.
 *
 * @throws {DomainError} `member_not_found`; `validation_failed` for the caller's own account and for the last admin
 */
export async function deleteMember(
  ctx: Context,
  { userId, revokeApiKeys }: { userId: string; revokeApiKeys: boolean },
): Promise<Member> {
  const removed = await ctx.db.transaction(async (tx) => {
    await lockMembers(tx);
    const member = await findMember(tx, userId);
    await requireIfMatch(ctx, async () => presentMember(member));
    await rejectLastAdmin(tx, member, "userId");
    rejectSelf(ctx, userId, "userId", "remove");
    if (revokeApiKeys) await revokeKeysOf(tx, ctx, userId);
    await tx.delete(user).where(eq(user.id, userId));
    await endConnections(tx, connectionUser.user(userId));
    await recordChange(tx, ctx, "member.deleted", auditedMember(member));
    return presentMember(member);
  });
  if (revokeApiKeys) await awaitKeyLeases();
  return removed;
}

/** Revokes the user's valid keys in all projects. `lockMembers` keeps the user from creating another key meanwhile. */
async function revokeKeysOf(tx: Transaction, ctx: Context, userId: string): Promise<void> {
  const valid = and(eq(apiKeys.createdBy, userId), isActiveKey);
  const owners = await tx.selectDistinct({ id: apiKeys.projectId }).from(apiKeys).where(valid);
  await lockProjectRows(
    tx,
    owners.map(({ id }) => id),
  );
  const locked = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(valid)
    .orderBy(asc(apiKeys.id))
    .for("update");
  const ids = locked.map(({ id }) => id);
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(inArray(apiKeys.id, ids))
    .returning();
  for (const row of revoked) await recordRevocation(tx, ctx, row);
}
