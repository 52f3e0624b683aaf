import { and, asc, eq, isNull, ne, sql } from "drizzle-orm";
import type { Database, Queryable, Transaction } from "#db/client";
import { user } from "#db/schema/users";
import type { Member } from "#lib/contract/members";
import { changesBetween } from "#lib/platform/audit/changes-between";
import type { Context } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { presentMember, type UserRow } from "./present.ts";

/** Any number that no other lock uses; "user" in ASCII. */
export const memberLock = 0x75_73_65_72;

/** Serialises changes of members. Otherwise two setups could both create an admin, or two admins could remove each other. */
export async function lockMembers(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${memberLock})`);
}

/** Keeps members from being changed or removed until the transaction ends. */
export async function lockMembersShared(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${memberLock})`);
}

export async function userExists(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.$count(user, eq(user.id, userId))) > 0;
}

/** Returns whether no user exists, so the first one becomes the admin. */
export async function needsSetup(db: Queryable): Promise<boolean> {
  return (await db.select({ id: user.id }).from(user).limit(1)).length === 0;
}

/** The user of the demo and of commands that run before an admin exists; not a member. */
export const systemUser = "system";

/** Returns the user for whom commands without a session act: the first admin who can sign in, or `system` without one. */
export async function findActingUser(db: Database): Promise<string> {
  const [row] = await db
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.role, "admin"), isNull(user.disabledAt)))
    .orderBy(asc(user.createdAt))
    .limit(1);
  return row?.id ?? systemUser;
}

/**
 * Rejects a change of the caller's own account, so members cannot lock themselves out by mistake.
 *
 * @throws {DomainError} `validation_failed` if the member is the caller
 */
export function rejectSelf(
  { actor }: Pick<Context, "actor">,
  userId: string,
  field: string,
  action: string,
): void {
  if (actor.userId !== userId) return;
  throw ownAccountError(field, `You cannot ${action} yourself: ask another admin.`);
}

/**
 * Rejects a new password for the caller's own account, because a stolen session must not be able to change it.
 *
 * @throws {DomainError} `validation_failed` if the member is the caller
 */
export function rejectOwnPassword({ actor }: Pick<Context, "actor">, userId: string): void {
  if (actor.userId !== userId) return;
  throw ownAccountError(
    "password",
    "Your own password needs the current one: change it on your account page, or by POST /api/v1/me/password.",
  );
}

const ownAccountError = (field: string, message: string) =>
  issueError("validation_failed", { field, code: "own_account", message });

/** @throws {DomainError} `member_not_found` */
export async function findMember(db: Queryable, userId: string): Promise<UserRow> {
  const [row] = await db.select().from(user).where(eq(user.id, userId));
  if (!row) throw standardError("member_not_found");
  return row;
}

/** @throws {DomainError} `member_not_found` */
export async function getMember(
  { db }: Pick<Context, "db">,
  { userId }: { userId: string },
): Promise<Member> {
  return presentMember(await findMember(db, userId));
}

/**
 * Checks that another admin who can sign in remains. Call it with the members locked.
 *
 * @throws {DomainError} `validation_failed` if the member is the only admin who can sign in
 */
export async function rejectLastAdmin(tx: Transaction, member: UserRow, field: string): Promise<void> {
  if (member.role !== "admin" || member.disabledAt !== null) return;
  const others = await tx
    .select({ id: user.id })
    .from(user)
    .where(and(eq(user.role, "admin"), isNull(user.disabledAt), ne(user.id, member.id)))
    .limit(1);
  if (others.length > 0) return;
  const message = `${member.email} is the only admin: make another member an admin first.`;
  throw issueError("validation_failed", { field, code: "last_admin", message });
}

/** Returns a new member as the audit log names it. */
export const auditedNewMember = (row: UserRow) => ({
  ...auditedMember(row),
  changes: changesBetween({}, { role: row.role }),
});

/** A new password as the audit log names it: without values. */
export const auditedPassword = { field: "password", from: null, to: null };

/** Returns a member as the audit log names it. */
export const auditedMember = ({ id, email }: UserRow) => ({ projectId: null, entityId: id, label: email });
