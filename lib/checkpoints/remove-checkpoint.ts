import { setTimeout as delay } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { checkpoints } from "#db/schema/checkpoints";
import type { JobRun } from "#lib/jobs/job-run";
import { holdProjects } from "#lib/projects/hold-project";
import { publishEvent } from "#lib/realtime/publish-event";
import { store } from "#lib/storage/store";
import { projectsLinkedTo } from "./lock-projects.ts";
import { isReferred } from "./scenarios-using.ts";

const waitMs = 30_000;

/** Removes a checkpoint whose deletion was asked for: its artifacts, then its row, which frees the folder's name. */
export async function removeCheckpoint(run: JobRun, checkpointId: string): Promise<void> {
  const { db } = run.ctx;
  const [row] = await db
    .select()
    .from(checkpoints)
    .where(and(eq(checkpoints.id, checkpointId), eq(checkpoints.state, "deleting")));
  if (row !== undefined) {
    await run.report(10, { stage: "Removing artifacts" });
    await waitForScenarios(run, checkpointId);
    await store().deleteFolder(row.artifactKey);
  }
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

/** Scenarios that are being deleted themselves refer to it until their own jobs have removed their rows. */
async function waitForScenarios(run: JobRun, checkpointId: string): Promise<void> {
  const until = performance.now() + waitMs;
  while (await isReferred(run.ctx.db, checkpointId)) {
    if (performance.now() > until) throw new Error(`Scenarios still refer to checkpoint ${checkpointId}`);
    await delay(200, undefined, { signal: run.signal });
  }
}
