import { sql } from "drizzle-orm";
import { mails } from "#db/schema/mails";
import { account, user } from "#db/schema/users";
import type { PasswordResetRequest } from "#lib/contract/sign-in";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";
import { database } from "#lib/platform/database/process-database";
import { standardError } from "#lib/platform/errors/standard-error";
import { countCall } from "#lib/platform/rate-limits/count-call";
import { networkOf } from "#lib/platform/rate-limits/network-of";
import { rateLimitedError } from "#lib/platform/rate-limits/rate-limited-error";
import { passwordMail } from "./password-links.ts";

/** Requests of one network: ten, then one a minute. */
const networkRate = { perMinute: 1, burst: 10 };
/** Requests for one email address: three, then one every 20 minutes. */
const addressRate = { perMinute: 1 / 20, burst: 3 };

/**
 * Sends a link to choose a password to a member. Answers the same, after the same work, if no member has the address, or if
 * the member is disabled or signs in with the company's account alone.
 *
 * @throws {DomainError} `not_found` without mail or passwords, `rate_limited`
 */
export async function requestPasswordReset(
  { email }: PasswordResetRequest,
  { headers }: { headers: Pick<Headers, "get"> },
): Promise<void> {
  if (passwordMail() === null) throw standardError("not_found");
  const db = database();
  const network = networkOf(headers.get(clientAddressHeader) ?? "unknown");
  const ofNetwork = await countCall(db, `password-reset:${network}`, networkRate);
  if (!ofNetwork.allowed) throw rateLimitedError(ofNetwork);
  const ofAddress = await db.transaction(async (tx) => {
    const counted = await countCall(tx, `password-reset:${email}`, addressRate);
    // In the same transaction, so that the commit takes as long without a mail.
    if (counted.allowed) await tx.execute(queueFor(email));
    return counted;
  });
  if (!ofAddress.allowed) throw rateLimitedError(ofAddress);
}

/** Inserts the mail if a member with a password has the address. */
const queueFor = (email: string) => sql`
  insert into ${mails} (kind, user_id)
  select 'password-reset', ${user.id} from ${user}
  where ${user.email} = ${email} and ${user.disabledAt} is null and exists (
    select from ${account} where ${account.userId} = ${user.id} and ${account.providerId} = 'credential')
  on conflict do nothing`;
