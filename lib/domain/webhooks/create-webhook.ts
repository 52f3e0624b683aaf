import { asc, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { webhooks } from "#db/schema/webhooks";
import { limits } from "#lib/contract/limits";
import type { CreateWebhook, WebhookWithSecret } from "#lib/contract/webhooks";
import { lockProject } from "#lib/domain/projects/lock-project";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { newId } from "#lib/platform/ids/new-id";
import { auditedWebhook, presentWebhook } from "./find-webhook.ts";
import { requirePublicUrl } from "./public-address.ts";
import { newSecret, sealSecret } from "./webhook-secret.ts";

/** @throws {DomainError} `project_not_found`, `webhook_limit_reached`; `validation_failed` for a private address */
export async function createWebhook(
  ctx: Context,
  { projectId, url, events, format = "standard" }: CreateWebhook & { projectId: string },
): Promise<WebhookWithSecret> {
  requirePublicUrl(url);
  const id = newId();
  const secret = newSecret();
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const [row] = await tx
      .insert(webhooks)
      .values({
        id,
        projectId,
        slot: await freeSlot(tx, projectId),
        url,
        host: new URL(url).host,
        events,
        format,
        secret: sealSecret(secret, id),
        createdBy: ctx.actor.userId,
      })
      .returning();
    const changes = changesBetween({}, { events, format });
    await recordChange(tx, ctx, "webhook.created", { ...auditedWebhook(row!), changes });
    return storeIdempotentResponse(tx, ctx, { ...presentWebhook(row!), secret });
  });
}

/** Returns a free slot of the project, whose row is locked. */
async function freeSlot(tx: Transaction, projectId: string): Promise<number> {
  const rows = await tx
    .select({ slot: webhooks.slot })
    .from(webhooks)
    .where(eq(webhooks.projectId, projectId))
    .orderBy(asc(webhooks.slot));
  const gap = rows.findIndex(({ slot }, index) => slot !== index + 1);
  if (gap >= 0) return gap + 1;
  if (rows.length < limits.webhooksPerProject) return rows.length + 1;
  throw standardError("webhook_limit_reached");
}
