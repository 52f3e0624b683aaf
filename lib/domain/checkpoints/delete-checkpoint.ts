import { and, desc, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import type { Context } from "#lib/context/context";
import { requireMatch } from "#lib/context/require-match";
import { lockProject } from "#lib/domain/projects/lock-projects-with-slots";
import { announceServingChange, requireAnnounced } from "#lib/models/serving-leases";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { lockCheckpoint } from "./find-checkpoint.ts";
import { getCheckpoint } from "./get-checkpoint.ts";
import { checkpointInUse } from "./refusals.ts";
import { scenariosUsing } from "./scenarios-using.ts";

/**
 * Interface, section 3: "A checkpoint referenced by any scenario cannot be deleted." Otherwise it is gone for everybody
 * once this returns, with its label and its place among the 20; a job removes its artifacts. If it was the default, the
 * newest one that remains is that now.
 *
 * @throws {DomainError} project_not_found, checkpoint_not_found, checkpoint_in_use
 */
export async function deleteCheckpoint(
  ctx: Context,
  { projectId, checkpointId }: { projectId: string; checkpointId: string },
): Promise<{ jobId: string; label: string }> {
  await announceServingChange(ctx.db, projectId);
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireAnnounced(tx, projectId);
    // Waits for scenarios that are being created on it: once it is locked they are there, or will find it gone.
    const row = await lockCheckpoint(tx, { projectId, checkpointId });
    await requireMatch(ctx, () => getCheckpoint({ db: tx }, { projectId, checkpointId }));
    const users = await scenariosUsing(tx, checkpointId);
    if (users.length > 0) throw checkpointInUse(ctx.actor, row.label, users);
    await tx
      .update(checkpoints)
      .set({ state: "deleting", slot: null, isDefault: false })
      .where(eq(checkpoints.id, checkpointId));
    if (row.isDefault) await passDefaultOn(tx, projectId);
    const job = await enqueueJob(tx, ctx, {
      type: "DeleteCheckpoint",
      projectId,
      checkpointId,
      payload: { checkpointId },
    });
    await recordAudit(tx, ctx, {
      projectId,
      action: "checkpoint.deleted",
      entityType: "checkpoint",
      entityId: checkpointId,
      label: row.label,
    });
    return { jobId: job.id, label: row.label };
  });
}

async function passDefaultOn(tx: Transaction, projectId: string): Promise<void> {
  const [newest] = await tx
    .select({ id: checkpoints.id })
    .from(checkpoints)
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.state, "ready")))
    .orderBy(desc(checkpoints.createdAt), desc(checkpoints.id))
    .limit(1);
  if (newest === undefined) return;
  await tx.update(checkpoints).set({ isDefault: true }).where(eq(checkpoints.id, newest.id));
}
