import { and, eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
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
 * Moves the default of a project, whose row is locked, and records the move. `update-checkpoint.ts`, `delete-checkpoint.ts`
 * and `publish-reserved-checkpoints.ts` call it, after `announceServingChange` has waited for the leases of `/predict`.
 * The record is an entry of the audit log and the event `default-changed`, which reaches the channel and the webhooks.
 */
export async function moveDefault(
  tx: Transaction,
  ctx: Pick<Context, "actor" | "requestId">,
  { projectId, to, ...job }: Move,
): Promise<void> {
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
