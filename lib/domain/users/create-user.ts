import { hashPassword } from "better-auth/crypto";
import type { Database, Transaction } from "#db/client";
import { user } from "#db/schema/users";
import type { CreateMember, Member, Role } from "#lib/contract/members";
import { recordChange } from "#lib/platform/audit/record-change";
import { environment } from "#lib/platform/config/environment";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";
import { queueMail } from "#lib/platform/mail/queue-mail";
import { auditedNewMember, lockMembers, needsSetup } from "./members.ts";
import { insertPassword } from "./passwords.ts";
import { presentMember, type UserRow } from "./present.ts";

/**
 * Creates the first admin. Of several concurrent calls, exactly one succeeds.
 *
 * @returns null, without a change, if a user exists
 */
export async function createFirstAdmin(
  { db, requestId }: { db: Database; requestId: string },
  admin: Omit<NewUser, "role">,
): Promise<UserRow | null> {
  // Hashing a password is slow by design, so check first.
  if (!(await needsSetup(db))) return null;
  return db.transaction(async (tx) => {
    await lockMembers(tx);
    if (!(await needsSetup(tx))) return null;
    const row = await insertUser(tx, { ...admin, role: "admin" });
    const actor = { kind: "session", userId: row.id, role: "admin" } as const;
    await recordChange(tx, { actor, requestId }, "member.created", auditedNewMember(row));
    return row;
  });
}

/** @throws {DomainError} `validation_failed` if the e-mail address is taken, and for an invitation without mail */
export async function createMember(ctx: Context, { invite, ...member }: CreateMember): Promise<Member> {
  if (invite && environment().mail === null) {
    const message = "The service sends no mail. Set a password instead.";
    throw issueError("validation_failed", { field: "invite", code: "mail_off", message });
  }
  return ctx.db.transaction(async (tx) => {
    const row = await insertUser(tx, { ...member, role: member.role ?? "analyst" });
    if (invite) await queueMail(tx, { kind: "invitation", userId: row.id });
    await recordChange(tx, ctx, "member.created", auditedNewMember(row));
    return storeIdempotentResponse(tx, ctx, presentMember(row));
  });
}

type NewUser = { name: string; email: string; password: string; role: Role };

/**
 * Inserts a user and an account with the password's scrypt hash, in the sign-in library's format.
 *
 * @throws {DomainError} `validation_failed` if the e-mail address is taken
 */
async function insertUser(tx: Transaction, fields: NewUser): Promise<UserRow> {
  const id = newId();
  const email = fields.email.toLowerCase();
  const password = await hashPassword(fields.password);
  const [row] = await tx
    .insert(user)
    .values({ id, name: fields.name, email, role: fields.role, emailVerified: true })
    .onConflictDoNothing({ target: user.email })
    .returning();
  if (row === undefined) {
    const message = `${email} already belongs to a member. Use another address.`;
    throw issueError("validation_failed", { field: "email", code: "taken", message });
  }
  await insertPassword(tx, id, password);
  return row;
}
