import { eq, sql } from "drizzle-orm";
import { webhooks } from "#db/schema/webhooks";
import type { UpdateWebhook, Webhook } from "#lib/contract/webhooks";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import {
  auditedWebhook,
  lockWebhook,
  presentWebhook,
  type WebhookIds,
  type WebhookRow,
} from "./find-webhook.ts";
import { requirePublicUrl } from "./public-address.ts";

/** @throws {DomainError} `webhook_not_found`, `precondition_failed`; `validation_failed` for a private address */
export async function updateWebhook(
  ctx: Context,
  { change: { url, events, format, enabled }, ...ids }: WebhookIds & { change: UpdateWebhook },
): Promise<Webhook> {
  if (url !== undefined) requirePublicUrl(url);
  return ctx.db.transaction(async (tx) => {
    const before = await lockWebhook(tx, ids);
    await requireIfMatch(ctx, async () => presentWebhook(before));
    const isEnabled = before.disabledAt === null;
    const disabled = { disabledAt: sql`now()`, disabledReason: "requested" as const };
    const [after] = await tx
      .update(webhooks)
      .set({
        url: url ?? before.url,
        host: new URL(url ?? before.url).host,
        events,
        format,
        ...(enabled === true && { disabledAt: null, disabledReason: null }),
        ...(enabled === false && isEnabled && disabled),
      })
      .where(eq(webhooks.id, before.id))
      .returning();
    await recordChange(tx, ctx, "webhook.updated", {
      ...auditedWebhook(after!),
      changes: [
        // Both null: an address can contain a secret.
        ...(after!.url === before.url ? [] : [{ field: "url", from: null, to: null }]),
        ...changesBetween(audited(before), audited(after!)),
      ],
    });
    return presentWebhook(after!);
  });
}

const audited = ({ host, events, format, disabledAt }: WebhookRow) => ({
  host,
  events,
  format,
  enabled: disabledAt === null,
});
