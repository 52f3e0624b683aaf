import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Queryable, Transaction } from "#db/client";
import { account, user } from "#db/schema/users";
import { authSecret } from "#lib/platform/config/secrets";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";
import { newId } from "#lib/platform/ids/new-id";
import { endSecretLinks } from "#lib/platform/links/secret-links";
import { logger } from "#lib/platform/log/logger";
import { countCall, uncountCall } from "#lib/platform/rate-limits/count-call";
import { failureRate, failureSubject } from "#lib/platform/rate-limits/failed-authentications";
import { networkOf } from "#lib/platform/rate-limits/network-of";
import type { Rate } from "#lib/platform/rate-limits/rate";
import { rateLimitedError } from "#lib/platform/rate-limits/rate-limited-error";
import { knownDevice } from "./device-cookie.ts";

/** Limit of wrong passwords for an account from one address or known device: ten, then one every six minutes. */
const sourceRate = { perMinute: 1 / 6, burst: 10 };
/**
 * Limit of wrong passwords for an account from all unknown devices together: 60 in the first hour, then 30 an hour. One
 * address alone cannot exhaust it.
 */
const accountRate = { perMinute: 1 / 2, burst: 30 };

/** Account that can sign in by password. */
type PasswordAccount = { userId: string; passwordHash: string };

/** A counted attempt to prove a password. */
export type PasswordAttempt = {
  /** null for an account that cannot sign in. */
  account: PasswordAccount | null;
  /** ID of the known device. null for an unknown device. */
  device: string | null;
  /** Logs the wrong password, which stays counted. */
  reject(): void;
  /** Returns the attempt to the limits. */
  accept(): Promise<void>;
};

/**
 * Counts an attempt to prove a password, before the password is checked. Every attempt counts until it succeeds, so
 * concurrent attempts count too. Limits also apply to accounts that do not exist. A known device has its own limit, so
 * that guesses from elsewhere do not lock its user out.
 *
 * @throws {DomainError} `rate_limited`
 */
export async function countAttempt(
  db: Database,
  email: string,
  { headers, requestId }: { headers: Pick<Headers, "get">; requestId: string },
): Promise<PasswordAttempt> {
  const address = headers.get(clientAddressHeader) ?? "unknown";
  const network = networkOf(address);
  const stored = await passwordAccount(db, email);
  const device =
    stored && knownDevice(headers, { email, passwordHash: stored.passwordHash, secret: authSecret() });
  const counts: { subject: string; rate: Rate }[] = [
    { subject: failureSubject(network), rate: failureRate() },
    { subject: `sign-in:${email}:${device ?? network}`, rate: sourceRate },
    ...(device === null ? [{ subject: `sign-in:${email}`, rate: accountRate }] : []),
  ];
  for (const { subject, rate } of counts) {
    const state = await countCall(db, subject, rate);
    if (!state.allowed) throw rateLimitedError(state);
  }
  return {
    account: stored,
    device,
    reject() {
      const line = { part: "sign-in", requestId, address, userId: stored?.userId ?? null };
      logger().warn(line, "wrong password");
    },
    async accept() {
      for (const { subject, rate } of counts) await uncountCall(db, subject, rate);
    },
  };
}

/** Returns the account of a member who can sign in; null otherwise. */
export async function passwordAccount(db: Queryable, email: string): Promise<PasswordAccount | null> {
  const [row] = await db
    .select({ userId: user.id, passwordHash: account.password })
    .from(account)
    .innerJoin(user, eq(user.id, account.userId))
    .where(and(eq(user.email, email), isNull(user.disabledAt), eq(account.providerId, "credential")));
  return row?.passwordHash ? { userId: row.userId, passwordHash: row.passwordHash } : null;
}

/**
 * Sets a password, the first one for a member who signs in with the company's account. The known devices end with the former
 * hash, and so do links to choose a password; `endSessions` ends the sessions.
 */
export async function setPassword(tx: Transaction, userId: string, passwordHash: string): Promise<void> {
  await endSecretLinks(tx, userId);
  const changed = await tx
    .update(account)
    .set({ password: passwordHash, updatedAt: sql`now()` })
    .where(and(eq(account.userId, userId), eq(account.providerId, "credential")))
    .returning({ id: account.id });
  if (changed.length === 0) await insertPassword(tx, userId, passwordHash);
}

export async function insertPassword(tx: Transaction, userId: string, passwordHash: string): Promise<void> {
  const row = { id: newId(), accountId: userId, providerId: "credential", userId, password: passwordHash };
  await tx.insert(account).values(row);
}
