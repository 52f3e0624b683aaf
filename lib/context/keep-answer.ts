import type { Transaction } from "#db/client";
import type { Context } from "./context.ts";

/**
 * Keeps what a creating request answers, in the transaction that creates: the commit of the one is the commit of the
 * other, so that a repetition with the same `Idempotency-Key` gets this answer even if the process dies right after it.
 * Without such a key it does nothing. Every operation behind an `idempotent` route ends its transaction with it.
 *
 * @param data as it goes over the wire
 * @param bodySha256 of a body that streamed in; the bodies of other requests are known
 * @returns `data`
 * @throws {DomainError} idempotency_in_progress where another request has taken the key over meanwhile
 */
export async function keepAnswer<T>(
  tx: Transaction,
  { claim }: Pick<Context, "claim">,
  data: T,
  bodySha256?: string,
): Promise<T> {
  await claim?.keep(tx, data, bodySha256);
  return data;
}
