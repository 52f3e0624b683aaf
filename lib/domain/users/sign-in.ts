import { and, eq, isNull } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { account, session, user } from "#db/schema/users";
import type { Credentials } from "#lib/contract/sign-in";
import { authSecret } from "#lib/platform/config/secrets";
import { database } from "#lib/platform/database/process-database";
import { countCall, uncountCall } from "#lib/platform/rate-limits/count-call";
import { failureRate, failureSubject } from "#lib/platform/rate-limits/failed-authentications";
import { networkOf } from "#lib/platform/rate-limits/network-of";
import type { Verdict } from "#lib/platform/rate-limits/rate";
import { clientAddressHeader } from "./auth.ts";
import { callAuthLibrary, type LibraryCall, wrongPasswordError } from "./call-auth-library.ts";
import { deviceCookie, knownDevice } from "./device-cookie.ts";
import { sessionToken } from "./session-cookie.ts";

/** Limit of wrong passwords for an account from one address or known device: ten, then one every six minutes. */
const sourceRate = { perMinute: 1 / 6, burst: 10 };
/**
 * Limit of wrong passwords for an account from all unknown devices together: 60 in the first hour, then 30 an hour. One
 * address alone cannot exhaust it.
 */
const accountRate = { perMinute: 1 / 2, burst: 30 };

/**
 * Signs in by e-mail and password. Every attempt counts until it succeeds, so concurrent attempts count too. Limits
 * also apply to accounts that do not exist. A device that has signed in to the account before has its own limit, so
 * that guesses from elsewhere do not lock its user out.
 *
 * @returns the sign-in library's response with the session cookie and a device cookie; or the wait after too many wrong
 *   passwords
 * @throws {DomainError} `session_required` with the same message, and after the same work, for a wrong password and
 *   for an account that does not exist
 */
export async function signIn(credentials: Credentials, caller: LibraryCall): Promise<Response | Verdict> {
  const db = database();
  const { email } = credentials;
  const address = networkOf(caller.headers.get(clientAddressHeader) ?? "unknown");
  const device = knownDevice(caller.headers, email, authSecret());
  const counts = [
    { subject: failureSubject(address), rate: failureRate() },
    { subject: `sign-in:${email}:${device ?? address}`, rate: sourceRate },
    ...(device === null ? [{ subject: `sign-in:${email}`, rate: accountRate }] : []),
  ];
  for (const { subject, rate } of counts) {
    const state = await countCall(db, subject, rate);
    if (!state.allowed) return state;
  }
  const hash = await passwordHash(db, email);
  const response = await callAuthLibrary("POST", "/sign-in/email", caller, credentials);
  await requireSamePassword(db, response, { email, hash });
  for (const { subject, rate } of counts) await uncountCall(db, subject, rate);
  response.headers.append(
    "set-cookie",
    deviceCookie(caller.headers, { email, device, secret: authSecret() }),
  );
  return response;
}

/** Returns the hash of a member's password; null for an account that cannot sign in. */
async function passwordHash(db: Queryable, email: string): Promise<string | null> {
  const [row] = await db
    .select({ password: account.password })
    .from(account)
    .innerJoin(user, eq(user.id, account.userId))
    .where(and(eq(user.email, email), isNull(user.disabledAt), eq(account.providerId, "credential")));
  return row?.password ?? null;
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
  { email, hash }: { email: string; hash: string | null },
): Promise<void> {
  const isSame = await db.transaction(async (tx) => {
    // Waits for the end of a running change.
    await tx.select({ id: user.id }).from(user).where(eq(user.email, email)).for("share");
    return (await passwordHash(tx, email)) === hash;
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
