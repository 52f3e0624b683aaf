import { eq } from "drizzle-orm";
import { webhooks } from "#db/schema/webhooks";
import type { Webhook } from "#lib/contract/webhooks";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { auditedWebhook, lockWebhook, presentWebhook, type WebhookIds } from "./find-webhook.ts";

/**
 * Deletes a webhook with its deliveries, and returns it.
 *
 * @throws {DomainError} `webhook_not_found`, `precondition_failed`
 */
export async function deleteWebhook(ctx: Context, ids: WebhookIds): Promise<Webhook> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockWebhook(tx, ids);
    await requireIfMatch(ctx, async () => presentWebhook(row));
    await recordChange(tx, ctx, "webhook.deleted", auditedWebhook(row));
    // Last, because from here on events skip the webhook, and a rollback would lose them for it.
    await tx.delete(webhooks).where(eq(webhooks.id, row.id));
    return presentWebhook(row);
  });
}
