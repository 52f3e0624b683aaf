import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { apiKeys } from "#db/schema/access";
import { outliveKeyLeases } from "#lib/api-keys/key-leases";
import type { Context } from "#lib/context/context";
import { requireMatch } from "#lib/context/require-match";
import type { ApiKey } from "#lib/contract/api-keys";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { standardError } from "#lib/platform/errors/standard-error";
import { keyDeed } from "./insert-key.ts";
import { type ApiKeyRow, presentApiKey } from "./present.ts";

/**
 * Revokes a key for good: no request that starts after this has returned gets in with it. Revoking it again changes
 * nothing.
 *
 * @throws {DomainError} `api_key_not_found`
 */
export async function revokeApiKey(
  ctx: Context,
  { projectId, keyId }: { projectId: string; keyId: string },
): Promise<ApiKey> {
  const revoked = await ctx.db.transaction(async (tx) => {
    const key = await lockKey(tx, { projectId, keyId });
    await requireMatch(ctx, async () => presentApiKey(key));
    if (key.revokedAt !== null) return presentApiKey(key);
    const [row] = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`now()` })
      .where(eq(apiKeys.id, keyId))
      .returning();
    await recordAudit(tx, ctx, keyDeed("revoked", row!));
    return presentApiKey(row!);
  });
  // Also of one that was revoked before: that may have been a moment ago.
  await outliveKeyLeases();
  return revoked;
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
