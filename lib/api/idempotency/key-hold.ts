import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { idempotencyKeys } from "#db/schema/access";
import { seal, unseal } from "#lib/platform/config/seal";
import type { IdempotencyHold } from "#lib/platform/context/context";
import { inProgressError, unreadableError } from "./idempotency-errors.ts";

/** Lease of a running request. After this time without renewal, the request counts as dead. */
const lease = sql`now() + interval '30 seconds'`;
const renewMs = 10_000;

/** Request with an idempotency key. Rows with the same `owner` and `key` are the same request if both hashes match. */
type IdempotentRequest = {
  owner: string;
  key: string;
  requestId: string;
  callHash: string;
  /** null until the body has streamed in. */
  bodyHash: string | null;
};

export type Stored = typeof idempotencyKeys.$inferSelect;

/**
 * Takes hold of a key for the current request if the key is free: new, older than 24 hours, or of a request that died
 * before it created anything.
 *
 * @returns the hold, or the row of the first request
 */
export async function holdKey(db: Database, held: IdempotentRequest): Promise<KeyHold | Stored> {
  const free = sql`${idempotencyKeys.answer} is null and ${idempotencyKeys.lockedUntil} < now()
    or ${idempotencyKeys.createdAt} < now() - interval '24 hours'`;
  const { owner, key, ...fresh } = { ...held, answer: null, lockedUntil: lease };
  const taken = await db
    .insert(idempotencyKeys)
    .values({ owner, key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.owner, idempotencyKeys.key],
      set: { ...fresh, createdAt: sql`now()` },
      setWhere: free,
    })
    .returning({ key: idempotencyKeys.key });
  if (taken.length > 0) return new KeyHold(db, held);
  const [first] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key)));
  // The key was released in the meantime. The next attempt takes it.
  return first ?? holdKey(db, held);
}

/** Returns the row of a key that holds a response. */
export async function findStored(
  db: Database,
  { owner, key }: Pick<Stored, "owner" | "key">,
): Promise<Stored | undefined> {
  const { answer, createdAt } = idempotencyKeys;
  const [stored] = await db
    .select()
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.owner, owner),
        eq(idempotencyKeys.key, key),
        isNotNull(answer),
        gt(createdAt, sql`now() - interval '24 hours'`),
      ),
    );
  return stored;
}

/**
 * Returns the stored response of a row. null while its request runs.
 *
 * @throws {DomainError} `idempotency_mismatch` if the response was sealed with another `AUTH_SECRET`
 */
export function storedResponse({ owner, key, answer }: Stored): string | null {
  if (answer === null) return null;
  const text = unseal(answer, subjectOf(owner, key));
  if (text === null) throw unreadableError();
  return text;
}

const subjectOf = (owner: string, key: string) => `answer\n${owner}\n${key}`;

/** Idempotency key of a running request. Writes take effect only while no other request holds the key. */
export class KeyHold implements IdempotencyHold {
  /** Body of the response, once it is stored. */
  answer: string | null = null;
  readonly #db: Database;
  readonly #held: IdempotentRequest;
  readonly #renewal: NodeJS.Timeout;

  constructor(db: Database, held: IdempotentRequest) {
    this.#db = db;
    this.#held = held;
    // A failed renewal has no effect yet. The next renewal, or the end of the request, reports the same problem.
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), renewMs).unref();
  }

  /**
   * Stores the response, sealed because it may contain an API key.
   *
   * @throws {DomainError} `idempotency_in_progress` if another request has taken over the key
   */
  async keep(tx: Transaction, data: unknown, bodySha256?: string): Promise<void> {
    const { owner, key, bodyHash } = this.#held;
    const text = JSON.stringify({ success: true, data });
    const kept = await tx
      .update(idempotencyKeys)
      .set({ answer: seal(text, subjectOf(owner, key)), bodyHash: bodySha256 ?? bodyHash })
      .where(this.#mine())
      .returning({ key: idempotencyKeys.key });
    if (kept.length === 0) throw inProgressError();
    this.answer = text;
  }

  /**
   * Ends the request. Releases the key if nothing was created, so that the client can correct the request and send it
   * again.
   */
  async end(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#db.delete(idempotencyKeys).where(this.#mine());
  }

  async #renew(): Promise<void> {
    await this.#db.update(idempotencyKeys).set({ lockedUntil: lease }).where(this.#mine());
  }

  /**
   * Matches the row while it belongs to this request and holds no response. A committed response is final, even if the
   * client never received it.
   */
  #mine() {
    const { owner, key, requestId } = this.#held;
    return and(
      eq(idempotencyKeys.owner, owner),
      eq(idempotencyKeys.key, key),
      eq(idempotencyKeys.requestId, requestId),
      isNull(idempotencyKeys.answer),
    );
  }
}
