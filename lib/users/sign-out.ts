import { eq } from "drizzle-orm";
import { database } from "#db/client";
import { session } from "#db/schema/users";
import { authSecret } from "#lib/config/auth-secret";
import { askLibrary, type LibraryCall } from "#lib/domain/users/call-auth-library";
import { sessionToken } from "#lib/domain/users/session-cookie";

/**
 * Ends the session of the cookie, if there is one; the sign-in library's answer takes the cookie back. The session is
 * removed here, because the library says that it has gone also where it could not be removed.
 */
export async function signOut(caller: LibraryCall): Promise<Response> {
  const token = sessionToken(caller.headers, authSecret());
  if (token !== null) await database().delete(session).where(eq(session.token, token));
  return askLibrary("POST", "/sign-out", caller);
}
