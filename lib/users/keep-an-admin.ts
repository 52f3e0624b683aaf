import { and, eq, isNull, ne } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { user } from "#db/schema/users";
import type { Context } from "#lib/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import type { UserRow } from "./insert-user.ts";

/**
 * Nobody shuts themselves out by mistake.
 *
 * @throws {DomainError} `validation_failed` where the member is the caller
 */
export function refuseSelf(
  { actor }: Pick<Context, "actor">,
  userId: string,
  field: string,
  deed: string,
): void {
  if (actor.userId !== userId) return;
  const message = `You cannot ${deed} yourself: ask another admin.`;
  throw new DomainError("validation_failed", message, { details: [{ field, code: "own_account", message }] });
}

/** @throws {DomainError} `member_not_found` */
export async function findMember(tx: Transaction, userId: string): Promise<UserRow> {
  const [row] = await tx.select().from(user).where(eq(user.id, userId));
  if (!row) throw standardError("member_not_found");
  return row;
}

/**
 * Somebody has to be left who can sign in and may manage members. Call it with the members locked.
 *
 * @throws {DomainError} `validation_failed` where the member is the only admin who can sign in
 */
export async function refuseLastAdmin(tx: Transaction, member: UserRow, field: string): Promise<void> {
  if (member.role !== "admin" || member.disabledAt !== null) return;
  const others = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.role, "admin"), isNull(user.disabledAt), ne(user.id, member.id)))
    .limit(1);
  if (others.length > 0) return;
  const message = `${member.email} is the only admin: make another member an admin first.`;
  throw new DomainError("validation_failed", message, { details: [{ field, code: "last_admin", message }] });
}
