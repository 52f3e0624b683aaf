import type { Transaction } from "#db/client";
import { lockMembersShared, systemUser, userExists } from "#lib/domain/users/members";
import type { Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";

/**
 * Keeps the caller a member until the transaction ends. Otherwise the removal of a member could miss a key that the
 * member creates at that moment.
 *
 * @throws {DomainError} `session_required` if the caller was removed meanwhile
 */
export async function lockCreator(tx: Transaction, { actor }: Pick<Context, "actor">): Promise<void> {
  if (actor.userId === systemUser) return;
  await lockMembersShared(tx);
  if (!(await userExists(tx, actor.userId))) throw standardError("session_required");
}
