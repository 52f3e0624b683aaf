import type { Transaction } from "#db/client";
import type { CopyingClient } from "./pool/drizzle-client.ts";

/**
 * `COPY … FROM STDIN` within a transaction.
 *
 * @param text the statement; must not contain user input
 * @param source the data, in the statement's format
 */
export async function copyIn(
  tx: Transaction,
  text: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  // Drizzle knows no COPY: past it goes the way to the connection that the transaction is on.
  const { session } = tx as unknown as { session: { client: CopyingClient } };
  await session.client.copyIn(text, source);
}
