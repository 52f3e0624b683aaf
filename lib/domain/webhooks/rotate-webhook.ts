import { eq, sql } from "drizzle-orm";
import { webhooks } from "#db/schema/webhooks";
import type { WebhookWithSecret } from "#lib/contract/webhooks";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { auditedWebhook, lockWebhook, presentWebhook, type WebhookIds } from "./find-webhook.ts";
import { newSecret, sealSecret } from "./webhook-secret.ts";

/**
 * Replaces the secret of a webhook. Until the overlap ends, deliveries also carry a signature by the previous secret. A
 * rotation during an overlap ends the oldest of the three secrets.
 *
 * @throws {DomainError} `webhook_not_found`, `precondition_failed`
 */
export async function rotateWebhook(
  ctx: Context,
  { overlapSeconds, ...ids }: WebhookIds & { overlapSeconds: number },
): Promise<WebhookWithSecret> {
  const secret = newSecret();
  return ctx.db.transaction(async (tx) => {
    const before = await lockWebhook(tx, ids);
    await requireIfMatch(ctx, async () => presentWebhook(before));
    const previous =
      overlapSeconds === 0
        ? { previousSecret: null, previousSecretExpiresAt: null }
        : {
            previousSecret: before.secret,
            previousSecretExpiresAt: sql`now() + make_interval(secs => ${overlapSeconds})`,
          };
    const [row] = await tx
      .update(webhooks)
      .set({ secret: sealSecret(secret, before.id), rotatedAt: sql`clock_timestamp()`, ...previous })
      .where(eq(webhooks.id, before.id))
      .returning();
    await recordChange(tx, ctx, "webhook.rotated", auditedWebhook(row!));
    return storeIdempotentResponse(tx, ctx, { ...presentWebhook(row!), secret });
  });
}
