import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { idempotencyKeys } from "#db/schema/access";
import { seal } from "./seal.ts";

/** How long a request is believed to be alive that has not said so again. */
const lockMs = 30_000;
const renewMs = 10_000;

export type ClaimedKey = { owner: string; key: string; requestHash: string };

type Stored = typeof idempotencyKeys.$inferSelect;

/**
 * Takes a key for the request that runs now, where nobody has it: it is new, older than 24 hours, or its request has died
 * without an answer.
 *
 * @returns the claim, or the row of the request that was first
 */
export async function claimKey(
  db: Database,
  claimed: ClaimedKey,
): Promise<{ claim: Claim } | { first: Stored }> {
  const lockedUntil = new Date(Date.now() + lockMs);
  const fresh = { requestHash: claimed.requestHash, lockedUntil, status: null, headers: null, body: null };
  const free = sql`${idempotencyKeys.status} is null and ${idempotencyKeys.lockedUntil} < now()
    or ${idempotencyKeys.createdAt} < now() - interval '24 hours'`;
  const [taken] = await db
    .insert(idempotencyKeys)
    .values({ ...claimed, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.owner, idempotencyKeys.key],
      set: { ...fresh, createdAt: sql`now()` },
      setWhere: free,
    })
    .returning({ owner: idempotencyKeys.owner });
  if (taken) return { claim: new Claim(db, claimed, lockedUntil) };
  const [first] = await db.select().from(idempotencyKeys).where(isKey(claimed));
  // Given back in between: the next try takes it.
  return first ? { first } : claimKey(db, claimed);
}

const isKey = ({ owner, key }: ClaimedKey) =>
  and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key));

/** A key while its request runs. What is written is written only while the claim is still this one. */
export class Claim {
  readonly #db: Database;
  readonly #claimed: ClaimedKey;
  readonly #renewal: NodeJS.Timeout;
  #lockedUntil: Date;

  constructor(db: Database, claimed: ClaimedKey, lockedUntil: Date) {
    this.#db = db;
    this.#claimed = claimed;
    this.#lockedUntil = lockedUntil;
    // A renewal that fails costs nothing yet; the next one, or the end of the request, meets the same trouble.
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), renewMs).unref();
  }

  /** Keeps the answer, sealed: it may hold an API key. */
  async keep(answer: { status: number; headers: Record<string, string>; text: string }): Promise<void> {
    clearInterval(this.#renewal);
    await this.#db
      .update(idempotencyKeys)
      .set({ status: answer.status, headers: answer.headers, body: seal(answer.text), lockedUntil: null })
      .where(this.#mine());
  }

  /** Gives the key back after a refusal, so that the request can be mended and sent again. */
  async release(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#db.delete(idempotencyKeys).where(this.#mine());
  }

  async #renew(): Promise<void> {
    const next = new Date(Date.now() + lockMs);
    const renewed = await this.#db
      .update(idempotencyKeys)
      .set({ lockedUntil: next })
      .where(this.#mine())
      .returning({ owner: idempotencyKeys.owner });
    if (renewed.length > 0) this.#lockedUntil = next;
  }

  #mine() {
    return and(isKey(this.#claimed), eq(idempotencyKeys.lockedUntil, this.#lockedUntil));
  }
}
