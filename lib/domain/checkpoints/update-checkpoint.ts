import { and, eq, sql } from "drizzle-orm";
import { checkpoints } from "#db/schema/checkpoints";
import type { Context } from "#lib/context/context";
import { requireMatch } from "#lib/context/require-match";
import type { CheckpointDetail, UpdateCheckpoint } from "#lib/contract/checkpoints";
import { lockProject } from "#lib/domain/projects/lock-projects-with-slots";
import { announceServingChange, requireAnnounced } from "#lib/models/serving-leases";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { findCheckpoint } from "./find-checkpoint.ts";
import { getCheckpoint } from "./get-checkpoint.ts";
import { duplicateLabel } from "./refusals.ts";

type Changes = { [K in keyof UpdateCheckpoint]: UpdateCheckpoint[K] | undefined };

/**
 * Changes label, description or default status; what is left out stays. `setAsDefault: true` takes the default from the
 * one that has it; `false` changes nothing, because a project with checkpoints always has a default.
 *
 * @throws {DomainError} project_not_found, checkpoint_not_found, duplicate_label
 */
export async function updateCheckpoint(
  ctx: Context,
  { projectId, checkpointId, ...changes }: { projectId: string; checkpointId: string } & Changes,
): Promise<CheckpointDetail> {
  const { label, description, setAsDefault } = changes;
  if (setAsDefault) await announceServingChange(ctx.db, projectId);
  return ctx.db.transaction(async (tx) => {
    const project = await lockProject(tx, projectId);
    if (setAsDefault) await requireAnnounced(tx, projectId);
    const row = await findCheckpoint(tx, { projectId, checkpointId });
    await requireMatch(ctx, () => getCheckpoint({ db: tx }, { projectId, checkpointId }));
    if (label !== undefined && label !== row.label && project.labels.has(label))
      throw duplicateLabel(label, "label");
    const becomesDefault = setAsDefault === true && !row.isDefault;
    if (becomesDefault) {
      await tx
        .update(checkpoints)
        .set({ isDefault: false })
        .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.isDefault, true)));
    }
    await tx
      .update(checkpoints)
      .set({
        ...(label === undefined ? {} : { label }),
        ...(description === undefined ? {} : { description }),
        ...(becomesDefault ? { isDefault: true } : {}),
        updatedAt: sql`clock_timestamp()`,
      })
      .where(and(eq(checkpoints.projectId, projectId), eq(checkpoints.id, checkpointId)));
    const entry = {
      projectId,
      entityType: "checkpoint" as const,
      entityId: checkpointId,
      label: label ?? row.label,
    };
    if (label !== undefined || description !== undefined) {
      await recordAudit(tx, ctx, { ...entry, action: "checkpoint.updated" });
    }
    if (becomesDefault) await recordAudit(tx, ctx, { ...entry, action: "checkpoint.made-default" });
    return getCheckpoint({ db: tx }, { projectId, checkpointId });
  });
}
