import type { Role } from "#lib/contract/members";
import { auth, sessionCookie } from "./auth.ts";
import { roleOf } from "./present.ts";

export type SessionUser = { id: string; name: string; email: string; role: Role };

/** Who is signed in by the cookies of a request; null where nobody is, or the session has ended. */
export async function sessionUser(headers: Headers): Promise<SessionUser | null> {
  if (!carriesSession(headers)) return null;
  const found = await auth().api.getSession({ headers });
  if (!found) return null;
  const { id, name, email, role } = found.user;
  return { id, name, email, role: roleOf(role) };
}

/** Whether a request carries a session's cookie, dead or alive. */
export function carriesSession(headers: Headers): boolean {
  const cookies = headers.get("cookie")?.split(";") ?? [];
  return cookies.some((cookie) => cookie.trim().startsWith(`${sessionCookie}=`));
}
