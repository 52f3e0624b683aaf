import type { Transaction } from "#db/client";
import type { CopyingClient } from "./pool/drizzle-client.ts";

/**
 * Runs `COPY … FROM STDIN` within a transaction.
 *
 * @param text the statement; must not contain user input
 * @param source the data, in the statement's format
 */
export async function copyIn(
  tx: Transaction,
  text: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  // Drizzle has no COPY, so this uses the transaction's own client.
  const { session } = tx as unknown as { session: { client: CopyingClient } };
  await session.client.copyIn(text, source);
}
