import { and, eq } from "drizzle-orm";
import { checkpoints } from "#db/schema/checkpoints";
import { lockProjectRows } from "#lib/domain/projects/lock-project";
import { projectsLinkedTo } from "#lib/domain/projects/lock-projects-with-slots";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { publishEvent } from "#lib/platform/realtime/publish-event";

/** Deletes the row of a checkpoint that is being deleted. A trigger records its folder, which workers delete. */
export async function removeCheckpoint(
  run: JobRun,
  { checkpointId }: { checkpointId: string },
): Promise<void> {
  const { db } = run.ctx;
  await db.transaction(async (tx) => {
    await lockProjectRows(tx, [run.job.projectId, ...(await projectsLinkedTo(tx, [checkpointId]))]);
    await run.requireCurrentAttempt(tx);
    const [row] = await tx
      .delete(checkpoints)
      .where(and(eq(checkpoints.id, checkpointId), eq(checkpoints.state, "deleting")))
      .returning({ label: checkpoints.label });
    await publishEvent(tx, {
      projectId: run.job.projectId,
      name: "checkpoint-deleted",
      entityId: checkpointId,
      jobId: run.job.id,
      status: "Completed",
      label: row?.label ?? null,
    });
    await run.complete(tx);
  });
}
