import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { idempotencyKeys } from "#db/schema/access";
import { seal, unseal } from "#lib/api/seal";
import type { AnswerClaim } from "#lib/context/context";
import { inProgress } from "./refusals.ts";

/** How long a request is believed to be alive that has not said so again. */
const lease = sql`now() + interval '30 seconds'`;
const renewMs = 10_000;

/** Who asks for what: rows of one `owner` and `key` are about the same request where both hashes are the same. */
export type AskedOnce = {
  owner: string;
  key: string;
  requestId: string;
  callHash: string;
  /** null: not known before the body has streamed in. */
  bodyHash: string | null;
};

export type Stored = typeof idempotencyKeys.$inferSelect;

/**
 * Takes a key for the request that runs now, where nobody has it: it is new, older than 24 hours, or its request has died
 * before it created anything.
 *
 * @returns the claim, or the row of the request that was first
 */
export async function claimKey(db: Database, asked: AskedOnce): Promise<Claim | Stored> {
  const free = sql`${idempotencyKeys.answer} is null and ${idempotencyKeys.lockedUntil} < now()
    or ${idempotencyKeys.createdAt} < now() - interval '24 hours'`;
  const { owner, key, ...fresh } = { ...asked, answer: null, lockedUntil: lease };
  const taken = await db
    .insert(idempotencyKeys)
    .values({ owner, key, ...fresh })
    .onConflictDoUpdate({
      target: [idempotencyKeys.owner, idempotencyKeys.key],
      set: { ...fresh, createdAt: sql`now()` },
      setWhere: free,
    })
    .returning({ key: idempotencyKeys.key });
  if (taken.length > 0) return new Claim(db, asked);
  const [first] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key)));
  // Given back in between: the next try takes it.
  return first ?? claimKey(db, asked);
}

/** The answer that a row keeps; null while its request runs. */
export function keptAnswer({ owner, key, answer }: Stored): string | null {
  if (answer === null) return null;
  const text = unseal(answer, subjectOf(owner, key));
  if (text === null) throw new Error("A kept answer was sealed with another AUTH_SECRET");
  return text;
}

const subjectOf = (owner: string, key: string) => `answer\n${owner}\n${key}`;

/** A key while its request runs. Whatever is written through it is written only while no other request has the key. */
export class Claim implements AnswerClaim {
  /** The body of the answer, once it is kept. */
  answer: string | null = null;
  readonly #db: Database;
  readonly #asked: AskedOnce;
  readonly #renewal: NodeJS.Timeout;

  constructor(db: Database, asked: AskedOnce) {
    this.#db = db;
    this.#asked = asked;
    // A renewal that fails costs nothing yet; the next one, or the end of the request, meets the same trouble.
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), renewMs).unref();
  }

  /** Sealed, since it may hold an API key. */
  async keep(tx: Transaction, data: unknown, bodySha256?: string): Promise<void> {
    const { owner, key, bodyHash } = this.#asked;
    const text = JSON.stringify({ success: true, data });
    const kept = await tx
      .update(idempotencyKeys)
      .set({ answer: seal(text, subjectOf(owner, key)), bodyHash: bodySha256 ?? bodyHash })
      .where(this.#mine())
      .returning({ key: idempotencyKeys.key });
    if (kept.length === 0) throw inProgress();
    this.answer = text;
  }

  /** Ends the request. Where it created nothing the key is given back, so that it can be mended and sent again. */
  async end(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#db.delete(idempotencyKeys).where(this.#mine());
  }

  async #renew(): Promise<void> {
    await this.#db.update(idempotencyKeys).set({ lockedUntil: lease }).where(this.#mine());
  }

  /** The row while it is this request's and without an answer: what a commit has decided stays, whatever was heard of it. */
  #mine() {
    const { owner, key, requestId } = this.#asked;
    return and(
      eq(idempotencyKeys.owner, owner),
      eq(idempotencyKeys.key, key),
      eq(idempotencyKeys.requestId, requestId),
      isNull(idempotencyKeys.answer),
    );
  }
}
