import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { apiKeys } from "#db/schema/access";
import type { ApiKey } from "#lib/contract/api-keys";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { auditedKey } from "./insert-key.ts";
import { awaitKeyLeases } from "./key-leases.ts";
import { type ApiKeyRow, presentApiKey } from "./present.ts";

/**
 * Revokes a key permanently. Requests that start after this function returns are rejected, and the key's realtime
 * connections end. A repeated call changes nothing.
 *
 * @throws {DomainError} `api_key_not_found`
 */
export async function revokeApiKey(
  ctx: Context,
  { projectId, keyId }: { projectId: string; keyId: string },
): Promise<ApiKey> {
  const revoked = await ctx.db.transaction(async (tx) => {
    const key = await lockKey(tx, { projectId, keyId });
    await requireIfMatch(ctx, async () => presentApiKey(key));
    if (key.revokedAt !== null) return presentApiKey(key);
    const [row] = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`now()` })
      .where(eq(apiKeys.id, keyId))
      .returning();
    await recordRevocation(tx, ctx, row!);
    return presentApiKey(row!);
  });
  // Also for a key that was revoked before, which may have been a moment ago.
  await awaitKeyLeases();
  return revoked;
}

/** Ends the key's realtime connections and writes the revocation to the audit log. */
export async function recordRevocation(tx: Transaction, ctx: Context, row: ApiKeyRow): Promise<void> {
  await endConnections(tx, connectionUser.key(row.id));
  const { revokedAt } = row;
  const changes = changesBetween({}, { revokedAt });
  await recordChange(tx, ctx, "api-key.revoked", { ...auditedKey(row), changes });
}

/** @throws {DomainError} `api_key_not_found`, also for another project's key */
export async function lockKey(
  tx: Transaction,
  { projectId, keyId }: { projectId: string; keyId: string },
): Promise<ApiKeyRow> {
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.projectId, projectId)))
    .for("update");
  if (!row) throw standardError("api_key_not_found");
  return row;
}
