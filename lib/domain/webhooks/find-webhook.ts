import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { type Page, type PageRequest, Paging } from "#db/page";
import { webhooks } from "#db/schema/webhooks";
import type { Webhook } from "#lib/contract/webhooks";
import { lockProject } from "#lib/domain/projects/lock-project";
import type { Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";

export type WebhookRow = typeof webhooks.$inferSelect;
export type WebhookIds = { projectId: string; webhookId: string };

const isWebhook = ({ projectId, webhookId }: WebhookIds) =>
  and(eq(webhooks.projectId, projectId), eq(webhooks.id, webhookId));

/** @throws {DomainError} `webhook_not_found`, also for another project's webhook */
export async function getWebhook({ db }: Pick<Context, "db">, ids: WebhookIds): Promise<Webhook> {
  const [row] = await db.select().from(webhooks).where(isWebhook(ids));
  if (!row) throw standardError("webhook_not_found");
  return presentWebhook(row);
}

/** Lists a project's webhooks, newest first. */
export async function listWebhooks(
  { db }: Pick<Context, "db">,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<Webhook>> {
  const paging = new Paging([webhooks.createdAt, webhooks.id], request);
  const rows = await db
    .select({ webhook: webhooks, position: paging.position })
    .from(webhooks)
    .where(and(eq(webhooks.projectId, projectId), paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
  return paging.page(rows, ({ webhook }) => presentWebhook(webhook));
}

/**
 * Locks the project, then a webhook against other changes. Events can still create deliveries, because they lock only its key.
 *
 * @throws {DomainError} `project_not_found`, `webhook_not_found`
 */
export async function lockWebhook(tx: Transaction, ids: WebhookIds): Promise<WebhookRow> {
  await lockProject(tx, ids.projectId);
  const [row] = await tx.select().from(webhooks).where(isWebhook(ids)).for("no key update");
  if (!row) throw standardError("webhook_not_found");
  return row;
}

export function presentWebhook(row: WebhookRow): Webhook {
  const { id, projectId, url, events, format, disabledAt, disabledReason, createdBy } = row;
  return {
    id,
    projectId,
    url,
    events,
    format,
    enabled: disabledAt === null,
    disabledAt: disabledAt?.toISOString() ?? null,
    disabledReason,
    previousSecretExpiresAt: row.previousSecretExpiresAt?.toISOString() ?? null,
    rotatedAt: row.rotatedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    createdBy,
  };
}

/** Returns a webhook as the audit log names it: by its host, because a path such as Slack's is a secret. */
export const auditedWebhook = ({ projectId, id, host }: Pick<WebhookRow, "projectId" | "id" | "host">) => ({
  projectId,
  entityId: id,
  label: host,
});
