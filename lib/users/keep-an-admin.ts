import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { user } from "#db/schema/users";
import { errorCodes } from "#lib/contract/error-codes";
import { DomainError } from "#lib/errors/domain-error";
import type { UserRow } from "./insert-user.ts";

/** @throws {DomainError} `member_not_found` */
export async function findMember(tx: Transaction, userId: string): Promise<UserRow> {
  const [row] = await tx.select().from(user).where(eq(user.id, userId));
  if (!row) throw new DomainError("member_not_found", errorCodes.member_not_found[1]);
  return row;
}

/**
 * Somebody has to be left who may manage members. Call it with the members locked.
 *
 * @throws {DomainError} `validation_failed` where the member is the only admin
 */
export async function refuseLastAdmin(tx: Transaction, member: UserRow, field: string): Promise<void> {
  if (member.role !== "admin") return;
  const others = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.role, "admin"), ne(user.id, member.id)))
    .limit(1);
  if (others.length > 0) return;
  const message = `${member.email} is the only admin: make another member an admin first.`;
  throw new DomainError("validation_failed", message, { details: [{ field, code: "last_admin", message }] });
}
