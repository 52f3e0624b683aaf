import { hashPassword } from "better-auth/crypto";
import { eq, sql } from "drizzle-orm";
import { user } from "#db/schema/users";
import type { PasswordReset } from "#lib/contract/sign-in";
import { recordChange } from "#lib/platform/audit/record-change";
import { authSecret } from "#lib/platform/config/secrets";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";
import { database } from "#lib/platform/database/process-database";
import { issueError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { countCall, uncountCall } from "#lib/platform/rate-limits/count-call";
import { failureRate, failureSubject } from "#lib/platform/rate-limits/failed-authentications";
import { networkOf } from "#lib/platform/rate-limits/network-of";
import { rateLimitedError } from "#lib/platform/rate-limits/rate-limited-error";
import { deviceCookie } from "./device-cookie.ts";
import { auditedMember, auditedPassword, lockMembers } from "./members.ts";
import { passwordMail, userOfPasswordLink } from "./password-links.ts";
import { setPassword } from "./passwords.ts";
import { roleOf } from "./present.ts";
import { endSessions } from "./sessions.ts";

/**
 * Sets the password of a link's member, and ends the link and all sessions. The sign-in library's own reset does not fit:
 * it changes the password, the sessions and the link in separate steps, without the audit log.
 *
 * @returns the `Set-Cookie` line that makes the caller's device known, so that earlier wrong passwords do not delay the sign-in
 * @throws {DomainError} `not_found` without mail or passwords; `validation_failed` for a link that has expired or was used;
 *   `rate_limited`
 */
export async function resetPassword(
  { token, newPassword }: PasswordReset,
  { headers, requestId }: { headers: Headers; requestId: string },
): Promise<string> {
  if (passwordMail() === null) throw standardError("not_found");
  const db = database();
  const subject = failureSubject(networkOf(headers.get(clientAddressHeader) ?? "unknown"));
  const state = await countCall(db, subject, failureRate());
  if (!state.allowed) throw rateLimitedError(state);
  // Hashing a password is slow by design, so check first.
  if ((await userOfPasswordLink(db, token)) === null) throw endedLinkIssue();
  const passwordHash = await hashPassword(newPassword);
  const { email } = await db.transaction(async (tx) => {
    await lockMembers(tx);
    const userId = await userOfPasswordLink(tx, token);
    if (userId === null) throw endedLinkIssue();
    const [row] = await tx.update(user).set({ updatedAt: sql`now()` }).where(eq(user.id, userId)).returning();
    await setPassword(tx, userId, passwordHash);
    await endSessions(tx, userId);
    const actor = { kind: "session", userId, role: roleOf(row!.role) } as const;
    const change = { ...auditedMember(row!), changes: [auditedPassword] };
    await recordChange(tx, { actor, requestId }, "member.updated", change);
    return row!;
  });
  await uncountCall(db, subject, failureRate());
  return deviceCookie(headers, { email, passwordHash, device: null, secret: authSecret() });
}

const endedLinkIssue = () =>
  issueError("validation_failed", {
    field: "token",
    code: "link_ended",
    message: "The link has expired or was used. Request a new one under “Forgot password?”.",
  });
