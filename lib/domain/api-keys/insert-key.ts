import type { Transaction } from "#db/client";
import { apiKeys } from "#db/schema/access";
import type { CreatedApiKey, Scope } from "#lib/contract/api-keys";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import type { Context } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { generateKey, hashKey, keyPrefix } from "./key-format.ts";
import { type ApiKeyRow, presentApiKey } from "./present.ts";

type NewKey = {
  projectId: string;
  name: string;
  expiresAt: Date | null;
  scopes: Scope[];
  allowedAddresses: string[] | null;
};

/** Inserts a new key and returns its text. Only a hash is stored, so the text cannot be returned again. */
export async function insertKey(
  tx: Transaction,
  ctx: Pick<Context, "actor" | "requestId">,
  request: NewKey,
): Promise<CreatedApiKey> {
  const key = generateKey();
  const [row] = await tx
    .insert(apiKeys)
    .values({
      id: newId(),
      ...request,
      createdToExpireAt: request.expiresAt,
      hash: hashKey(key),
      prefix: keyPrefix(key),
      createdBy: ctx.actor.userId,
    })
    .returning();
  if (request.expiresAt !== null) await endConnections(tx, connectionUser.key(row!.id), request.expiresAt);
  const { expiresAt, scopes, allowedAddresses } = row!;
  const changes = changesBetween({}, { expiresAt, scopes, allowedAddresses });
  await recordChange(tx, ctx, "api-key.created", { ...auditedKey(row!), changes });
  return { ...presentApiKey(row!), key };
}

/** Returns a key as the audit log names it. */
export const auditedKey = ({ projectId, id, name }: ApiKeyRow) => ({ projectId, entityId: id, label: name });
