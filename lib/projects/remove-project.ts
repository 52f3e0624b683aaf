import { and, eq, inArray, isNotNull, or } from "drizzle-orm";
import { uploads } from "#db/schema/datasets";
import { projects } from "#db/schema/projects";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";
import type { JobRun } from "#lib/jobs/job-run";
import { store } from "#lib/storage/store";

/**
 * Removes everything of a project that was taken out of sight: its artifacts, then its rows. The job's record and the
 * audit log stay. Running again after a crash finds less to do.
 */
export async function removeProject(run: JobRun): Promise<void> {
  const { projectId } = run.job;
  const { db } = run.ctx;
  await run.report(5, { stage: "Removing files" });
  await store().deleteFolder(`projects/${projectId}`);
  await run.report(60, { stage: "Removing rows" });
  await db.transaction(async (tx) => {
    // Scenarios that are being deleted themselves must not hold the checkpoints that they used.
    const leaving = tx
      .select({ id: scenarios.id })
      .from(scenarios)
      .innerJoin(projects, eq(projects.id, scenarios.projectId))
      .where(or(isNotNull(scenarios.deletedAt), isNotNull(projects.deletedAt)));
    await tx
      .delete(scenarioCheckpoints)
      .where(
        and(
          eq(scenarioCheckpoints.upstreamProjectId, projectId),
          inArray(scenarioCheckpoints.scenarioId, leaving),
        ),
      );
    await tx.delete(scenarios).where(eq(scenarios.projectId, projectId));
    await tx.delete(uploads).where(eq(uploads.projectId, projectId));
    await tx.delete(projects).where(eq(projects.id, projectId));
    await run.complete(tx, { message: "The project and everything in it is removed" });
  });
  // What a job that was running meanwhile may still have published.
  await store().deleteFolder(`projects/${projectId}`);
}
