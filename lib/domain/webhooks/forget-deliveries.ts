import { and, desc, eq, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks";
import { limits } from "#lib/contract/limits";

/** Deletes ended deliveries after 30 days, and ends those that a disabled webhook has held back for a day. */
export async function forgetDeliveries(db: Database): Promise<void> {
  const { requestedAt, dueAt, createdAt, webhookId } = webhookDeliveries;
  const dayAgo = sql`now() - interval '24 hours'`;
  const disabled = db.select({ id: webhooks.id }).from(webhooks).where(isNotNull(webhooks.disabledAt));
  await db
    .update(webhookDeliveries)
    .set({ status: "Failed", dueAt: null, error: "The webhook was disabled for a day" })
    .where(and(lt(dueAt, sql`now()`), lt(requestedAt, dayAgo), inArray(webhookId, disabled)));
  await db
    .delete(webhookDeliveries)
    .where(and(isNull(dueAt), lt(createdAt, sql`now() - interval '30 days'`)));
}

/** Deletes all but the last ended deliveries of a webhook. */
export async function keepLastDeliveries(db: Pick<Database, "select" | "delete">, id: string): Promise<void> {
  const { webhookId, dueAt, createdAt } = webhookDeliveries;
  const isEnded = and(eq(webhookId, id), isNull(dueAt));
  const firstTooMany = db
    .select({ createdAt })
    .from(webhookDeliveries)
    .where(isEnded)
    .orderBy(desc(createdAt))
    .offset(limits.deliveriesKept)
    .limit(1);
  await db.delete(webhookDeliveries).where(and(isEnded, sql`${createdAt} <= (${firstTooMany})`));
}
