import { and, eq, gte, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { webhookDeliveries, webhooks } from "#db/schema/webhooks";
import type { Webhook } from "#lib/contract/webhooks";
import { systemUser } from "#lib/domain/users/members";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { pausesSeconds } from "#lib/platform/concurrency/start-turns";
import { newId } from "#lib/platform/ids/new-id";
import { logger } from "#lib/platform/log/logger";
import type { DeliveryRow } from "./deliveries.ts";
import { auditedWebhook } from "./find-webhook.ts";
import { keepLastDeliveries } from "./forget-deliveries.ts";
import { endLease, type Turn } from "./take-turn.ts";

/** No attempt follows later than this after the event, however long others of the webhook took. */
const attemptsEndMs = 24 * 3_600_000;

/** Result of an attempt. `error` is null if the receiver accepted the delivery. */
export type Outcome = Pick<DeliveryRow, "responseStatus" | "responseBody" | "error">;

/**
 * Stores the result of a turn, and ends its lease. After the last attempt, disables a webhook that has accepted nothing
 * since the delivery's first attempt: a receiver that rejects one event keeps getting all others.
 */
export async function recordAttempt(db: Database, turn: Turn, outcome: Outcome): Promise<void> {
  const { id, attempts, requestedAt } = turn.delivery;
  const isGone = outcome.responseStatus === 410;
  const pause = pausesSeconds[attempts - 1];
  const isLast =
    isGone || pause === undefined || Date.now() + pause * 1_000 > requestedAt.getTime() + attemptsEndMs;
  const next =
    outcome.error === null
      ? { status: "Delivered" as const, dueAt: null }
      : isLast
        ? { status: "Failed" as const, dueAt: null }
        : { dueAt: sql`now() + make_interval(secs => ${pause})` };
  await db.transaction(async (tx) => {
    await endLease(tx, turn);
    const [recorded] = await tx
      .update(webhookDeliveries)
      .set({ ...outcome, ...next })
      // A delivery that was sent again meanwhile, or by another process after the lease, has other attempts.
      .where(
        and(
          eq(webhookDeliveries.id, id),
          eq(webhookDeliveries.attempts, attempts),
          eq(webhookDeliveries.status, "Pending"),
        ),
      )
      .returning();
    if (recorded === undefined || recorded.status === "Pending") return;
    await keepLastDeliveries(tx, recorded.webhookId);
    if (recorded.status === "Delivered") return;
    if (isGone) await disable(tx, turn, "gone");
    else if (!(await hasAccepted(tx, recorded))) await disable(tx, turn, "failing");
  });
}

async function hasAccepted(tx: Transaction, { webhookId, requestedAt }: DeliveryRow): Promise<boolean> {
  const accepted = await tx.$count(
    webhookDeliveries,
    and(
      eq(webhookDeliveries.webhookId, webhookId),
      eq(webhookDeliveries.status, "Delivered"),
      gte(webhookDeliveries.lastAttemptAt, requestedAt),
    ),
  );
  return accepted > 0;
}

async function disable(
  tx: Transaction,
  { webhook }: Turn,
  disabledReason: NonNullable<Webhook["disabledReason"]>,
): Promise<void> {
  const [row] = await tx
    .update(webhooks)
    .set({ disabledAt: sql`now()`, disabledReason })
    .where(
      and(eq(webhooks.id, webhook.id), eq(webhooks.url, webhook.url), sql`${webhooks.disabledAt} is null`),
    )
    .returning();
  if (row === undefined) return;
  const requestId = newId();
  logger().warn({ requestId, webhookId: row.id, disabledReason }, "a webhook was disabled");
  const actor = { kind: "session" as const, userId: systemUser, role: "admin" as const };
  const changes = changesBetween({ enabled: true }, { enabled: false, disabledReason });
  await recordChange(tx, { actor, requestId }, "webhook.disabled", { ...auditedWebhook(row), changes });
}
