import type { Database, Transaction } from "#db/client";
import type { Role } from "#lib/contract/members";

/**
 * Caller of an operation. An API key acts for the user who created it, in its own project only. `sessionId` is present for
 * requests, not for commands and jobs.
 */
export type Actor =
  | { kind: "session"; userId: string; role: Role; sessionId?: string }
  | { kind: "api-key"; userId: string; apiKeyId: string; projectId: string };

/** A request's hold on its `Idempotency-Key`. */
export type IdempotencyHold = {
  keep(tx: Transaction, data: unknown, bodySha256: string | undefined): Promise<void>;
};

/** Precondition of a request on the resource that it changes. */
export type Precondition = {
  /** @param read returns the resource in its wire format, or null if absent */
  check(read: () => Promise<unknown>): Promise<void>;
};

/** First argument of every operation. */
export type Context = {
  db: Database;
  actor: Actor;
  /** Identifier in the response header `X-Request-Id`, in log lines and in the audit log. */
  requestId: string;
  /** Aborted if the caller disconnects before the response. */
  signal?: AbortSignal | undefined;
  /** Present for a creating request with an `Idempotency-Key`. See `storeIdempotentResponse`. */
  hold?: IdempotencyHold | undefined;
  /** Present for a change with `If-Match`. See `requireIfMatch`. */
  precondition?: Precondition | undefined;
};

/**
 * Rejects a change with `If-Match` if the resource has changed since the caller read it. Without the header, does
 * nothing. Every operation of an `ifMatch` route calls it in its transaction, after it locks the resource against other
 * changes. So only one of two changes based on the same version succeeds. Exception: `retryJob` calls it before its
 * transaction, because an ended job never changes.
 *
 * @param read returns the resource in its wire format, or null if absent; called only if needed
 * @throws {DomainError} precondition_failed
 */
export async function requireIfMatch(
  { precondition }: Pick<Context, "precondition">,
  read: () => Promise<unknown>,
): Promise<void> {
  await precondition?.check(read);
}

/**
 * Stores the response of a creating request in the transaction that creates the resource. Both commit together, so a
 * retry with the same `Idempotency-Key` gets this response even if the process dies after the commit. Without a key,
 * does nothing. Every operation of an `idempotent` route calls it last in its transaction.
 *
 * @param data response in its wire format
 * @param bodySha256 digest of a streamed body; for other requests the digest is already known
 * @returns `data`
 * @throws {DomainError} idempotency_in_progress if another request has taken over the key
 */
export async function storeIdempotentResponse<T>(
  tx: Transaction,
  { hold }: Pick<Context, "hold">,
  data: T,
  bodySha256?: string,
): Promise<T> {
  await hold?.keep(tx, data, bodySha256);
  return data;
}
