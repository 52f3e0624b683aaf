import { and, eq } from "drizzle-orm";
import { checkpoints } from "#db/schema/checkpoints";
import { faultPoint } from "#lib/jobs/fault-point";
import type { JobRun } from "#lib/jobs/job-run";
import { holdProjects } from "#lib/projects/hold-project";
import { publishEvent } from "#lib/realtime/publish-event";
import { store } from "#lib/storage/store";
import { projectsLinkedTo } from "./lock-projects.ts";

/** Removes a checkpoint whose deletion was asked for: its artifacts, then its row, which frees the folder's name. */
export async function removeCheckpoint(run: JobRun, checkpointId: string): Promise<void> {
  const { db } = run.ctx;
  const [row] = await db
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.id, checkpointId), eq(checkpoints.state, "deleting")));
  if (row !== undefined) {
    await run.report(10, { stage: "Removing artifacts" });
    await store().deleteFolder(row.artifactKey);
  }
  faultPoint(run.job, "files removed");
  await db.transaction(async (tx) => {
    await holdProjects(tx, [run.job.projectId, ...(await projectsLinkedTo(tx, [checkpointId]))]);
    await run.hold(tx);
    await tx
      .delete(checkpoints)
      .where(and(eq(checkpoints.id, checkpointId), eq(checkpoints.state, "deleting")));
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
