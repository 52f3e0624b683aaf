import { and, eq, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client";
import { type Page, type PageRequest, Paging } from "#db/page";
import { webhookDeliveries } from "#db/schema/webhooks";
import { type Delivery, testEvent } from "#lib/contract/webhooks";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { newId } from "#lib/platform/ids/new-id";
import { getWebhook, lockWebhook, presentWebhook, type WebhookIds, type WebhookRow } from "./find-webhook.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/**
 * Lists the deliveries of a webhook, newest first.
 *
 * @throws {DomainError} `webhook_not_found`
 */
export async function listDeliveries(
  ctx: Pick<Context, "db">,
  { projectId, webhookId, ...request }: PageRequest & WebhookIds,
): Promise<Page<Delivery>> {
  await getWebhook(ctx, { projectId, webhookId });
  const paging = new Paging([webhookDeliveries.createdAt, webhookDeliveries.id], request);
  const rows = await ctx.db
    .select({ delivery: webhookDeliveries, position: paging.position })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ delivery }) => presentDelivery(delivery));
}

/**
 * Sends an event of the type `webhook-test` to a webhook, like any other event.
 *
 * @throws {DomainError} `webhook_not_found`, `precondition_failed`; `validation_failed` for a disabled webhook
 */
export async function testWebhook(ctx: Context, ids: WebhookIds): Promise<Delivery> {
  const { projectId, webhookId } = ids;
  const eventId = newId();
  const data = {
    eventId,
    projectId,
    entityId: webhookId,
    jobId: null,
    status: null,
    label: null,
    occurredAt: new Date().toISOString(),
  };
  return ctx.db.transaction(async (tx) => {
    const webhook = await lockEnabled(tx, ids);
    await requireIfMatch(ctx, async () => presentWebhook(webhook));
    const [row] = await tx
      .insert(webhookDeliveries)
      .values({
        projectId,
        webhookId,
        source: eventId,
        eventId,
        type: testEvent,
        data,
        requestedAt: sql`now()`,
        dueAt: sql`now()`,
      })
      .returning();
    return storeIdempotentResponse(tx, ctx, presentDelivery(row!));
  });
}

type DeliveryIds = WebhookIds & { deliveryId: string };

/** Returns the webhook of a delivery beside its ID. @throws {DomainError} `delivery_not_found` */
export async function locateDelivery(
  db: Queryable,
  { projectId, deliveryId }: Omit<DeliveryIds, "webhookId">,
): Promise<DeliveryIds> {
  const [row] = await db
    .select({ webhookId: webhookDeliveries.webhookId })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.projectId, projectId), eq(webhookDeliveries.id, deliveryId)));
  if (row === undefined) throw standardError("delivery_not_found");
  return { projectId, webhookId: row.webhookId, deliveryId };
}

/**
 * Sends a delivery again, with the same `webhook-id`. Its attempts are counted from 0 again.
 *
 * @throws {DomainError} `webhook_not_found`, `delivery_not_found`, `precondition_failed`; `validation_failed` for a disabled webhook
 */
export async function resendDelivery(ctx: Context, { deliveryId, ...ids }: DeliveryIds): Promise<Delivery> {
  return ctx.db.transaction(async (tx) => {
    const webhook = await lockEnabled(tx, ids);
    const [row] = await tx
      .update(webhookDeliveries)
      .set({ status: "Pending", attempts: 0, requestedAt: sql`now()`, dueAt: sql`now()`, error: null })
      .where(and(eq(webhookDeliveries.webhookId, ids.webhookId), eq(webhookDeliveries.id, deliveryId)))
      .returning();
    if (!row) throw standardError("delivery_not_found");
    await requireIfMatch(ctx, async () => presentWebhook(webhook));
    return presentDelivery(row);
  });
}

async function lockEnabled(tx: Transaction, ids: WebhookIds): Promise<WebhookRow> {
  const webhook = await lockWebhook(tx, ids);
  if (webhook.disabledAt === null) return webhook;
  const message = "The webhook is disabled. Enable it first.";
  throw issueError("validation_failed", { id: webhook.id, code: "webhook_disabled", message });
}

function presentDelivery(row: DeliveryRow): Delivery {
  const { id, webhookId, eventId, type, status, attempts, responseStatus, responseBody, error } = row;
  return {
    id,
    webhookId,
    eventId,
    type,
    status,
    attempts,
    responseStatus,
    responseBody,
    error,
    createdAt: row.createdAt.toISOString(),
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: row.dueAt?.toISOString() ?? null,
  };
}
