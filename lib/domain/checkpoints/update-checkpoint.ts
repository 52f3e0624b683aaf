import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import type { CheckpointDetail, UpdateCheckpoint } from "#lib/contract/checkpoints";
import { announceServingChange } from "#lib/domain/models/serving-leases";
import { lockProjectsWithSlots } from "#lib/domain/projects/lock-projects-with-slots";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { duplicateLabelError } from "./checkpoint-errors.ts";
import { type CheckpointRef, type CheckpointRow, findCheckpoint } from "./find-checkpoint.ts";
import { getCheckpoint } from "./get-checkpoint.ts";
import { moveDefault } from "./move-default.ts";

type Changes = { [K in keyof UpdateCheckpoint]: UpdateCheckpoint[K] | undefined };
type Request = CheckpointRef & Changes;

/**
 * Changes label, description or default status; omitted fields stay. `setAsDefault: true` moves the default to this
 * checkpoint. `false` changes nothing, because a project with ready checkpoints always has a default.
 *
 * @throws {DomainError} project_not_found, checkpoint_not_found, duplicate_label, precondition_failed,
 *   service_unavailable
 */
export async function updateCheckpoint(ctx: Context, request: Request): Promise<CheckpointDetail> {
  const { projectId, checkpointId, label, description, setAsDefault } = request;
  if (setAsDefault) {
    const checkpoint = await ctx.db.transaction((tx) => lockChangeable(tx, ctx, request));
    if (!checkpoint.isDefault) await announceServingChange(ctx.db, projectId);
  }
  return ctx.db.transaction(async (tx) => {
    const row = await lockChangeable(tx, ctx, request);
    const [changed] = await tx
      .update(checkpoints)
      .set({ label, description, updatedAt: sql`clock_timestamp()` })
      .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, checkpointId)))
      .returning({ label: checkpoints.label, description: checkpoints.description });
    if (label !== undefined || description !== undefined) {
      await recordChange(tx, ctx, "checkpoint.updated", {
        projectId,
        entityId: checkpointId,
        label: changed!.label,
        changes: changesBetween(row, changed!),
      });
    }
    // If the checkpoint was the default at the first check, another call has moved the default and announced that.
    if (setAsDefault && !row.isDefault) await moveDefault(tx, ctx, { projectId, to: checkpointId });
    return getCheckpoint({ db: tx }, { projectId, checkpointId });
  });
}

/**
 * Locks the project of a checkpoint and checks that the change is possible.
 *
 * @throws {DomainError} as `updateCheckpoint`
 */
async function lockChangeable(
  tx: Transaction,
  ctx: Context,
  { projectId, checkpointId, label }: Request,
): Promise<CheckpointRow> {
  const project = (await lockProjectsWithSlots(tx, [projectId])).get(projectId)!;
  const row = await findCheckpoint(tx, { projectId, checkpointId });
  await requireIfMatch(ctx, () => getCheckpoint({ db: tx }, { projectId, checkpointId }));
  if (label !== undefined && label !== row.label && project.labels.has(label))
    throw duplicateLabelError(label, "label");
  return row;
}
