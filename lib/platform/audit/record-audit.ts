import type { Queryable } from "#db/client";
import { auditLog } from "#db/schema/access";
import type { AuditEntityType } from "#lib/contract/audit";
import type { Context } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";

/** Action as `<entity>.<past tense>`, for example `checkpoint.created`. */
type Action = `${AuditEntityType}.${string}`;

type Recorded = {
  /** null: the action concerns no project (members). */
  projectId: string | null;
  /** Default: the entity of the action. */
  entityType?: AuditEntityType;
  entityId: string;
  label?: string | null;
};

/** Records an action with its actor and API key, in the transaction of the action. */
export async function recordAudit(
  tx: Queryable,
  ctx: Pick<Context, "actor" | "requestId">,
  action: Action,
  { projectId, entityType = entityOf(action), entityId, label = null }: Recorded,
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

const entityOf = (action: Action) => action.slice(0, action.indexOf(".")) as AuditEntityType;
