import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { session, user } from "#db/schema/users";
import type { Credentials } from "#lib/contract/sign-in";
import { environment } from "#lib/platform/config/environment";
import { authSecret } from "#lib/platform/config/secrets";
import { database } from "#lib/platform/database/process-database";
import { DomainError } from "#lib/platform/errors/domain-error";
import { callAuthLibrary, type LibraryCall, wrongPasswordError } from "./call-auth-library.ts";
import { deviceCookie } from "./device-cookie.ts";
import { countAttempt, passwordAccount } from "./passwords.ts";
import { sessionToken } from "./session-cookie.ts";

/**
 * Signs in by e-mail and password, within the limits of `countAttempt`.
 *
 * @returns the sign-in library's response with the session cookie and a device cookie
 * @throws {DomainError} `session_required` with the same message, and after the same work, for a wrong password and
 *   for an account that does not exist; `rate_limited` after too many wrong passwords; `forbidden` if passwords are
 *   switched off
 */
export async function signIn(
  credentials: Credentials,
  caller: LibraryCall & { requestId: string },
): Promise<Response> {
  if (!environment().passwordSignIn) {
    throw new DomainError(
      "forbidden",
      "Passwords are switched off. Sign in with your company account at /login.",
    );
  }
  const db = database();
  const { email } = credentials;
  const attempt = await countAttempt(db, email, caller);
  const passwordHash = attempt.account?.passwordHash ?? null;
  try {
    const response = await callAuthLibrary("POST", "/sign-in/email", caller, credentials);
    await requireSamePassword(db, response, { email, passwordHash });
    await attempt.accept();
    if (passwordHash !== null) {
      const known = { email, passwordHash, device: attempt.device, secret: authSecret() };
      response.headers.append("set-cookie", deviceCookie(caller.headers, known));
    }
    return response;
  } catch (error) {
    if (error instanceof DomainError && error.code === "session_required") attempt.reject();
    throw error;
  }
}

/**
 * Ends the new session if the password was changed or the account disabled while the library checked the password. Such
 * a change ends all sessions, but cannot see one that is stored later.
 *
 * @throws {DomainError} session_required
 */
async function requireSamePassword(
  db: Database,
  response: Response,
  { email, passwordHash }: { email: string; passwordHash: string | null },
): Promise<void> {
  const isSame = await db.transaction(async (tx) => {
    // Waits for the end of a running change.
    await tx.select({ id: user.id }).from(user).where(eq(user.email, email)).for("share");
    return ((await passwordAccount(tx, email))?.passwordHash ?? null) === passwordHash;
  });
  if (isSame) return;
  const { token } = (await response.clone().json()) as { token: string };
  await db.delete(session).where(eq(session.token, token));
  throw wrongPasswordError();
}

/**
 * Ends the session of the cookie, if there is one. The library's response clears the cookie. The session is deleted
 * here, because the library reports success even if the deletion fails.
 */
export async function signOut(caller: LibraryCall): Promise<Response> {
  const token = sessionToken(caller.headers, authSecret());
  if (token !== null) await database().delete(session).where(eq(session.token, token));
  return callAuthLibrary("POST", "/sign-out", caller);
}
