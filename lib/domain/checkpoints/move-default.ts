import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { requireServingChangeAnnounced } from "#lib/domain/models/serving-leases";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { recordChange } from "#lib/platform/audit/record-change";
import type { Context } from "#lib/platform/context/context";

type Move = {
  projectId: string;
  /** Ready checkpoint that becomes the default; null if none remains. */
  to: string | null;
  /** Job that moves the default. */
  jobId?: string;
};

/**
 * Moves the default of a project, whose row is locked. It is called by
 *
 * - `update-checkpoint.ts` on request;
 * - `delete-checkpoint.ts` in the request that deletes the default: the newest remaining ready checkpoint follows;
 * - `publish-reserved-checkpoints.ts` in the job of a new checkpoint, if the request says so or the project has no default.
 *
 * Each of these announces the move before its transaction (`announceServingChange`), so that no `/predict` uses the former
 * model after it.
 *
 * Records the move in the audit log, and publishes the event `default-changed` to the channel and the webhooks of this
 * project. Its entity is the new default, or the project if no checkpoint remains. Projects that use this one as upstream
 * hear nothing: they keep the checkpoints that they pinned, and `newerDefaults` finds the newer ones when they are read.
 *
 * @throws {DomainError} service_unavailable if the transaction waited until less than 30 s of the announcement were left; the
 *   caller of the API, or the job, tries again
 */
export async function moveDefault(
  tx: Transaction,
  ctx: Pick<Context, "actor" | "requestId">,
  { projectId, to, ...job }: Move,
): Promise<void> {
  await requireServingChangeAnnounced(tx, projectId);
  const [from] = await tx
    .update(checkpoints)
    .set({ isDefault: false })
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.isDefault, true)))
    .returning({ label: checkpoints.label });
  if (to === null) {
    const changes = changesBetween({ defaultCheckpoint: from?.label }, { defaultCheckpoint: null });
    await recordChange(tx, ctx, "project.default-removed", { projectId, entityId: projectId, changes });
    return;
  }
  const [now] = await tx
    .update(checkpoints)
    .set({ isDefault: true })
    .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, to)))
    .returning({ label: checkpoints.label });
  const { label } = now!;
  const changes = changesBetween({ defaultCheckpoint: from?.label }, { defaultCheckpoint: label });
  await recordChange(tx, ctx, "checkpoint.made-default", { projectId, entityId: to, label, changes, ...job });
}
