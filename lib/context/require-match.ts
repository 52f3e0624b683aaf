import type { Context } from "./context.ts";

/**
 * Refuses a change with `If-Match` where the resource is not what the caller has read; without that header it does
 * nothing. Every operation behind an `ifMatch` route calls it in its transaction, once it holds the lock that whoever
 * changes the resource takes: so of two changes that were made from the same reading only one succeeds.
 *
 * @param read the resource as it goes over the wire, null where there is none; called only where it is needed
 * @throws {DomainError} precondition_failed
 */
export async function requireMatch(
  { precondition }: Pick<Context, "precondition">,
  read: () => Promise<unknown>,
): Promise<void> {
  await precondition?.check(read);
}
