import { hashPassword, verifyPassword } from "better-auth/crypto";
import { eq, sql } from "drizzle-orm";
import { user } from "#db/schema/users";
import type { ChangePassword, EndedSessions } from "#lib/contract/account";
import { recordChange } from "#lib/platform/audit/record-change";
import { authSecret } from "#lib/platform/config/secrets";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";
import { deviceCookie } from "./device-cookie.ts";
import { auditedMember, auditedPassword, lockMembers } from "./members.ts";
import type { OwnContext } from "./own-sessions.ts";
import { countAttempt, passwordAccount, setPassword } from "./passwords.ts";
import { endSessions } from "./sessions.ts";

/**
 * Changes the caller's password. Ends the caller's other sessions and all known devices except the caller's. A wrong
 * current password counts against the limits of sign-in, so a stolen session cannot be used to guess the password.
 *
 * @returns the number of ended sessions, and the `Set-Cookie` line that keeps the caller's device known
 * @throws {DomainError} `validation_failed` for a wrong current password, `rate_limited`
 */
export async function changePassword(
  ctx: OwnContext,
  { currentPassword, newPassword }: ChangePassword,
  headers: Pick<Headers, "get">,
): Promise<EndedSessions & { cookie: string }> {
  const { db, actor, requestId } = ctx;
  const [own] = await db.select({ email: user.email }).from(user).where(eq(user.id, actor.userId));
  if (!own) throw removedError();
  const { email } = own;
  const attempt = await countAttempt(db, email, { headers, requestId });
  const known = attempt.account?.passwordHash;
  if (known === undefined) throw noPasswordIssue();
  if (!(await verifyPassword({ hash: known, password: currentPassword }))) {
    attempt.reject();
    throw wrongPasswordIssue();
  }
  const passwordHash = await hashPassword(newPassword);
  const endedSessions = await db.transaction(async (tx) => {
    await lockMembers(tx);
    const [row] = await tx
      .update(user)
      .set({ updatedAt: sql`now()` })
      .where(eq(user.id, actor.userId))
      .returning();
    if (!row) throw removedError();
    // Another request may have changed the password in the meantime.
    if ((await passwordAccount(tx, email))?.passwordHash !== known) throw wrongPasswordIssue();
    await setPassword(tx, actor.userId, passwordHash);
    const ended = await endSessions(tx, actor.userId, { except: actor.sessionId });
    await recordChange(tx, ctx, "member.updated", { ...auditedMember(row), changes: [auditedPassword] });
    return ended;
  });
  await attempt.accept();
  const cookie = deviceCookie(headers, {
    email,
    passwordHash,
    device: attempt.device,
    secret: authSecret(),
  });
  return { endedSessions, cookie };
}

const wrongPasswordIssue = () =>
  issueError("validation_failed", {
    field: "currentPassword",
    code: "wrong_password",
    message: "The current password is wrong. Enter the password with which you signed in.",
  });

const noPasswordIssue = () =>
  issueError("validation_failed", {
    field: "currentPassword",
    code: "no_password",
    message: "You sign in with your company account and have no password here. An admin can set one.",
  });

const removedError = () => new DomainError("session_required", "The session has ended. Sign in again.");
