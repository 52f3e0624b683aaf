import { and, asc, eq, isNull, lte, notInArray, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks";
import type { DeliveryRow } from "./deliveries.ts";
import type { WebhookRow } from "./find-webhook.ts";

/** A delivery that this process sends, under a lease of its webhook, which `webhook.leasedUntil` identifies. */
export type Turn = { webhook: WebhookRow; delivery: DeliveryRow };

/** Hosts and projects that have enough requests in flight. */
export type Busy = { hosts: string[]; projects: string[] };

/** Longer than an attempt. The webhook of a worker that dies waits for this time. */
const leaseSeconds = 30;

/**
 * Takes the first due delivery whose webhook has none in flight, leases the webhook and counts the attempt. Until the lease
 * ends, no other process sends to this webhook. So deliveries arrive in order, and one that hangs delays only its webhook.
 *
 * @returns null if nothing is due
 */
export async function takeTurn(db: Database, { hosts, projects }: Busy): Promise<Turn | null> {
  const isDue = lte(webhookDeliveries.dueAt, sql`now()`);
  return db.transaction(async (tx) => {
    const [next] = await tx
      .select({ webhookId: webhooks.id, deliveryId: webhookDeliveries.id })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(
        and(
          isDue,
          isNull(webhooks.disabledAt),
          lte(webhooks.leasedUntil, sql`now()`),
          notInArray(webhooks.host, hosts),
          notInArray(webhooks.projectId, projects),
        ),
      )
      .orderBy(asc(webhookDeliveries.dueAt))
      .limit(1)
      .for("no key update", { of: webhooks, skipLocked: true });
    if (next === undefined) return null;
    const [delivery] = await tx
      .update(webhookDeliveries)
      .set({ attempts: sql`${webhookDeliveries.attempts} + 1`, lastAttemptAt: sql`clock_timestamp()` })
      .where(and(eq(webhookDeliveries.id, next.deliveryId), isDue))
      .returning();
    if (delivery === undefined) return null;
    const [webhook] = await tx
      .update(webhooks)
      // Whole milliseconds, so that a Date identifies the lease.
      .set({
        leasedUntil: sql`date_trunc('milliseconds', clock_timestamp() + make_interval(secs => ${leaseSeconds}))`,
      })
      .where(eq(webhooks.id, next.webhookId))
      .returning();
    return { webhook: webhook!, delivery };
  });
}

/** Ends a turn's lease, unless it has expired and another process has taken a turn. */
export const endLease = (db: Pick<Database, "update">, { webhook }: Turn) =>
  db
    .update(webhooks)
    .set({ leasedUntil: sql`now()` })
    .where(and(eq(webhooks.id, webhook.id), eq(webhooks.leasedUntil, webhook.leasedUntil)));
