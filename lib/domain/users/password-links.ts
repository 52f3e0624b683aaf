import { and, eq, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { user, verification } from "#db/schema/users";
import { environment, type MailSettings } from "#lib/platform/config/environment";
import { createSecretLink, isSecretLink } from "#lib/platform/links/secret-links";

/** Returns the settings of mail if members can choose passwords by links in mails, else null. */
export function passwordMail(): MailSettings | null {
  const { mail, passwordSignIn } = environment();
  return passwordSignIn ? mail : null;
}

/**
 * Returns the address of a new link to choose a password, which works once. The token is in the fragment, which browsers
 * do not send, so that no log of a server or proxy has it.
 */
export async function createPasswordLink(
  db: Queryable,
  { userId, hours, publicUrl }: { userId: string; hours: number; publicUrl: string },
): Promise<string> {
  const token = await createSecretLink(db, { purpose: "password", subject: userId, hours });
  return `${publicUrl}/new-password#${token}`;
}

/** Returns the user of a valid link; null for a link that has expired or was used, and of a disabled user. */
export async function userOfPasswordLink(db: Queryable, token: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: user.id })
    .from(verification)
    .innerJoin(user, eq(user.id, verification.value))
    .where(and(isSecretLink("password", token), isNull(user.disabledAt)));
  return row?.userId ?? null;
}
