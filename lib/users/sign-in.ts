import { database } from "#db/client";
import type { Credentials } from "#lib/contract/sign-in";
import { clientAddressHeader } from "#lib/domain/users/auth";
import { askLibrary, type LibraryCall } from "#lib/domain/users/call-auth-library";
import { countCall, uncountCall } from "#lib/platform/rate-limits/count-call";
import { failureRate, failureSubject } from "#lib/platform/rate-limits/failed-authentications";
import type { Verdict } from "#lib/platform/rate-limits/rate";

/** Wrong passwords for one account, whatever the address; the same for accounts that do not exist. */
const accountRate = { perMinute: 10, burst: 10 };

/**
 * Signs in by e-mail and password. Every attempt counts against the account and the address until it has succeeded, so
 * that many at once count too.
 *
 * @returns the sign-in library's answer, with the session's cookie; or how long to wait after too many wrong passwords
 * @throws {DomainError} `session_required` in the same words, and after the same work, for a wrong password and for an
 *   account that does not exist
 */
export async function signIn(credentials: Credentials, caller: LibraryCall): Promise<Response | Verdict> {
  const db = database();
  const client = caller.headers.get(clientAddressHeader) ?? "unknown";
  const counts = [
    { subject: failureSubject(client), rate: failureRate() },
    { subject: `sign-in:${credentials.email}`, rate: accountRate },
  ];
  for (const { subject, rate } of counts) {
    const state = await countCall(db, subject, rate);
    if (!state.allowed) return state;
  }
  const response = await askLibrary("POST", "/sign-in/email", caller, credentials);
  for (const { subject, rate } of counts) await uncountCall(db, subject, rate);
  return response;
}
