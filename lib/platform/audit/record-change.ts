import type { Transaction } from "#db/client";
import { auditLog } from "#db/schema/access";
import type { AuditChange, AuditEntityType } from "#lib/contract/audit";
import type { Context } from "#lib/platform/context/context";
import { newId } from "#lib/platform/ids/new-id";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import { type AuditAction, eventOf } from "./event-of-action.ts";

type Change = {
  /** null: the action concerns no project (members). */
  projectId: string | null;
  /** Default: the entity of the action. */
  entityType?: AuditEntityType;
  entityId: string;
  label?: string | null;
  /** Changed fields, from `changesBetween`. */
  changes?: AuditChange[];
  /** Job that completes with the change. */
  jobId?: string;
};

/**
 * Writes the audit entry of an action, with its actor and API key, and publishes the action's event, in the transaction
 * of the action.
 */
export async function recordChange(
  tx: Transaction,
  ctx: Pick<Context, "actor" | "requestId">,
  action: AuditAction,
  { projectId, entityType = entityOf(action), entityId, label = null, changes, jobId }: Change,
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
    changes: changes ?? null,
  });
  const name = eventOf(action);
  if (name === undefined || projectId === null) return;
  const job = jobId === undefined ? { jobId: null, status: null } : { jobId, status: "Completed" };
  await publishEvent(tx, { projectId, name, entityId, ...job, label });
}

const entityOf = (action: AuditAction) => action.slice(0, action.indexOf(".")) as AuditEntityType;
