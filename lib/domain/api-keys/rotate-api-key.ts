import { eq, sql } from "drizzle-orm";
import { apiKeys } from "#db/schema/access";
import type { CreatedApiKey } from "#lib/contract/api-keys";
import { lockProject } from "#lib/domain/projects/lock-project";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { auditedKey, insertKey } from "./insert-key.ts";
import { awaitKeyLeases } from "./key-leases.ts";
import { lockCreator } from "./lock-creator.ts";
import { presentApiKey } from "./present.ts";
import { lockKey } from "./revoke-api-key.ts";

type Request = { projectId: string; keyId: string; overlapSeconds: number };

/**
 * Creates a key that replaces another: same name, scopes and addresses, and the same lifetime if the old key has one. The old key
 * stays valid for the overlap, but not beyond its expiry.
 *
 * @throws {DomainError} `session_required` if the caller was removed meanwhile; `project_not_found`,
 *   `api_key_not_found`; `precondition_failed`; `validation_failed` for a key that is no longer valid
 */
export async function rotateApiKey(
  ctx: Context,
  { projectId, keyId, overlapSeconds }: Request,
): Promise<CreatedApiKey> {
  const created = await ctx.db.transaction(async (tx) => {
    await lockCreator(tx, ctx);
    await lockProject(tx, projectId);
    const old = await lockKey(tx, { projectId, keyId });
    await requireIfMatch(ctx, async () => presentApiKey(old));
    // The database's clock, which also decides whether a key has expired.
    const [clock] = await tx.execute<{ nowMs: number }>(
      sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`,
    );
    const { nowMs } = clock!;
    const expiryMs = old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (old.revokedAt !== null || expiryMs <= nowMs) {
      const message = "The key is no longer valid and cannot be rotated. Create a new key.";
      throw issueError("validation_failed", { id: keyId, code: "key_not_valid", message });
    }
    const endMs = Math.min(expiryMs, nowMs + overlapSeconds * 1000);
    const end = overlapSeconds === 0 ? { revokedAt: new Date(nowMs) } : { expiresAt: new Date(endMs) };
    await tx.update(apiKeys).set(end).where(eq(apiKeys.id, keyId));
    await endConnections(tx, connectionUser.key(keyId), overlapSeconds === 0 ? null : new Date(endMs));
    await recordChange(tx, ctx, "api-key.rotated", {
      ...auditedKey(old),
      changes: changesBetween(old, end),
    });
    // The original lifetime, not the one that an earlier rotation shortened.
    const lifetimeMs = old.createdToExpireAt && old.createdToExpireAt.getTime() - old.createdAt.getTime();
    const expiresAt = lifetimeMs === null ? null : new Date(nowMs + lifetimeMs);
    const { name, scopes, allowedAddresses } = old;
    const key = await insertKey(tx, ctx, { projectId, name, expiresAt, scopes, allowedAddresses });
    return storeIdempotentResponse(tx, ctx, key);
  });
  // An overlap of one second or more is longer than any lease.
  if (overlapSeconds === 0) await awaitKeyLeases();
  return created;
}
