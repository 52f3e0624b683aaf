import { hashPassword } from "better-auth/crypto";
import type { Database, Transaction } from "#db/client";
import { account, user } from "#db/schema/users";
import type { Role } from "#lib/contract/members";
import { isUniqueViolation } from "#lib/platform/errors/database-error";
import { DomainError } from "#lib/platform/errors/domain-error";
import { newId } from "#lib/platform/ids/new-id";

export type NewUser = { name: string; email: string; password: string; role: Role };
export type UserRow = typeof user.$inferSelect;

/**
 * Writes a user who signs in with a password, as the sign-in library keeps them: the user, and an account that holds the
 * password's scrypt hash.
 *
 * @throws {DomainError} `validation_failed` where the e-mail address is taken
 */
export async function insertUser(tx: Database | Transaction, given: NewUser): Promise<UserRow> {
  const id = newId();
  const email = given.email.toLowerCase();
  const password = await hashPassword(given.password);
  const row = await insertOnce(tx, { id, name: given.name, email, role: given.role, emailVerified: true });
  await tx
    .insert(account)
    .values({ id: newId(), accountId: id, providerId: "credential", userId: id, password });
  return row;
}

async function insertOnce(tx: Database | Transaction, values: typeof user.$inferInsert): Promise<UserRow> {
  try {
    const [row] = await tx.insert(user).values(values).returning();
    return row!;
  } catch (error) {
    if (!isUniqueViolation(error, "user_email_unique")) throw error;
    const message = `${values.email} already belongs to a member.`;
    throw new DomainError("validation_failed", message, {
      details: [{ field: "email", code: "taken", message }],
      cause: error,
    });
  }
}
