import { eq } from "drizzle-orm";
import { apiKeys } from "#db/schema/access";
import { outliveKeyLeases } from "#lib/api-keys/key-leases";
import type { Context } from "#lib/context/context";
import { keepAnswer } from "#lib/context/keep-answer";
import type { CreatedApiKey } from "#lib/contract/api-keys";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { DomainError } from "#lib/platform/errors/domain-error";
import { holdProject } from "#lib/projects/hold-project";
import { insertKey, keyDeed } from "./insert-key.ts";
import { lockKey } from "./revoke-api-key.ts";

type Request = { projectId: string; keyId: string; overlapSeconds: number };

/**
 * Makes a key that takes another's place: same name, and the same lifetime where it had one. The old one lives on for
 * the overlap, but never longer than it would have.
 *
 * @throws {DomainError} `project_not_found`, `api_key_not_found`; `validation_failed` for a key that is no longer valid
 */
export async function rotateApiKey(
  ctx: Context,
  { projectId, keyId, overlapSeconds }: Request,
): Promise<CreatedApiKey> {
  const created = await ctx.db.transaction(async (tx) => {
    await holdProject(tx, projectId);
    const old = await lockKey(tx, { projectId, keyId });
    const nowMs = Date.now();
    const expiryMs = old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (old.revokedAt !== null || expiryMs <= nowMs) {
      const message = "The key is no longer valid, so that nothing can take its place: create a new one.";
      throw new DomainError("validation_failed", message, {
        details: [{ id: keyId, code: "key_not_valid", message }],
      });
    }
    const endMs = Math.min(expiryMs, nowMs + overlapSeconds * 1000);
    await tx
      .update(apiKeys)
      .set(overlapSeconds === 0 ? { revokedAt: new Date(nowMs) } : { expiresAt: new Date(endMs) })
      .where(eq(apiKeys.id, keyId));
    await recordAudit(tx, ctx, keyDeed("rotated", old));
    // Not that which a rotation before this one has left it.
    const lifetimeMs = old.createdToExpireAt && old.createdToExpireAt.getTime() - old.createdAt.getTime();
    const expiresAt = lifetimeMs === null ? null : new Date(nowMs + lifetimeMs);
    const key = await insertKey(tx, ctx, { projectId, name: old.name, expiresAt });
    return keepAnswer(tx, ctx, key);
  });
  // A second's overlap is longer than any lease.
  if (overlapSeconds === 0) await outliveKeyLeases();
  return created;
}
