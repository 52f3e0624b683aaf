import { and, desc, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { announceServingChange } from "#lib/domain/models/serving-leases";
import { lockProject } from "#lib/domain/projects/lock-project";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { checkpointInUseError } from "./checkpoint-errors.ts";
import { type CheckpointRef, type CheckpointRow, findCheckpoint } from "./find-checkpoint.ts";
import { getCheckpoint } from "./get-checkpoint.ts";
import { moveDefault } from "./move-default.ts";
import { scenariosUsing } from "./scenarios-using.ts";

/**
 * Deletes a checkpoint that no scenario references. Checkpoints that refer to it do not block its deletion. The label and
 * the slot are free when this function returns. A job deletes the row. A trigger records the folder, and workers delete it
 * later (docs/decisions/0184-artifacts-and-their-rows.md). If the checkpoint was the default, the newest remaining one becomes
 * the default.
 *
 * Checks twice whether the checkpoint can be deleted. The first check precedes the announcement to other processes
 * (`announceServingChange`), so that a rejected call announces nothing. The second check is part of the deletion.
 *
 * @throws {DomainError} project_not_found, checkpoint_not_found, checkpoint_in_use, precondition_failed,
 *   service_unavailable
 */
export async function deleteCheckpoint(
  ctx: Context,
  { projectId, checkpointId }: CheckpointRef,
): Promise<{ jobId: string; label: string }> {
  const checkpoint = await ctx.db.transaction((tx) => lockDeletable(tx, ctx, { projectId, checkpointId }));
  if (checkpoint.isDefault) await announceServingChange(ctx.db, projectId);
  return ctx.db.transaction(async (tx) => {
    const row = await lockDeletable(tx, ctx, { projectId, checkpointId });
    if (row.isDefault) {
      // The checkpoint may have become the default after the first check. The call that made it the default also announced
      // the change.
      await moveDefault(tx, ctx, { projectId, to: await newestBeside(tx, row) });
    }
    await tx
      .update(checkpoints)
      .set({ state: "deleting", slot: null })
      .where(eq(checkpoints.id, checkpointId));
    const job = await enqueueJob(tx, ctx, {
      type: "DeleteCheckpoint",
      projectId,
      checkpointId,
      payload: { checkpointId },
    });
    await recordChange(tx, ctx, "checkpoint.deleted", {
      projectId,
      entityId: checkpointId,
      label: row.label,
    });
    return { jobId: job.id, label: row.label };
  });
}

/**
 * Locks a checkpoint and checks that it can be deleted.
 *
 * @throws {DomainError} project_not_found, checkpoint_not_found, precondition_failed, checkpoint_in_use
 */
async function lockDeletable(tx: Transaction, ctx: Context, ref: CheckpointRef): Promise<CheckpointRow> {
  await lockProject(tx, ref.projectId);
  // Waits for scenarios that are being created on the checkpoint. `scenariosUsing` then sees every scenario that was
  // created before. Later ones fail with checkpoint_not_found.
  const row = await findCheckpoint(tx, ref, "update");
  await requireIfMatch(ctx, () => getCheckpoint({ db: tx }, ref));
  const scenarios = await scenariosUsing(tx, ref.checkpointId, ctx.actor);
  if (scenarios.length > 0) throw checkpointInUseError(row.label, scenarios);
  return row;
}

/** Returns the newest other checkpoint of the project; null without one. */
async function newestBeside(
  tx: Transaction,
  { projectId, id }: Pick<CheckpointRow, "projectId" | "id">,
): Promise<string | null> {
  const [newest] = await tx
    .select({ id: checkpoints.id })
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.state, "ready"), ne(checkpoints.id, id)))
    .orderBy(desc(checkpoints.createdAt), desc(checkpoints.id))
    .limit(1);
  return newest?.id ?? null;
}
