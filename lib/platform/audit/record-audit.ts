import type { Database, Transaction } from "#db/client";
import { auditLog } from "#db/schema/access";
import type { Context } from "#lib/context/context";
import type { AuditEntityType } from "#lib/contract/audit";
import { newId } from "#lib/platform/ids/new-id";

type Recorded = {
  /** null: the deed concerns no project (members). */
  projectId: string | null;
  /** What was done, `<entity>.<past tense>`: `checkpoint.created`. */
  action: string;
  entityType: AuditEntityType;
  entityId: string;
  label?: string | null;
};

/** Writes who did what, with the key that was used, in the transaction of the deed itself. */
export async function recordAudit(
  tx: Database | Transaction,
  ctx: Pick<Context, "actor" | "requestId">,
  { projectId, action, entityType, entityId, label = null }: Recorded,
): Promise<void> {
  await tx.insert(auditLog).values({
    id: newId(),
    projectId,
    actorId: ctx.actor.userId,
    apiKeyId: ctx.actor.kind === "api-key" ? ctx.actor.apiKeyId : null,
    action,
    entityType,
    entityId,
    label,
    requestId: ctx.requestId,
  });
}
