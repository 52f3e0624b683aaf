import { and, eq, inArray, isNotNull, or } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { uploads } from "#db/schema/datasets";
import { projects } from "#db/schema/projects";
import { scenarioCheckpoints, scenarios } from "#db/schema/scenarios";
import { projectsLinkedTo } from "#lib/domain/projects/lock-projects-with-slots";
import { faultPoint } from "#lib/platform/jobs/fault-point";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { lockProjectRows } from "./lock-project.ts";

/** Removes all rows and artifacts of a deleted project. The job's record and the audit log stay. */
export async function removeProject(run: JobRun): Promise<void> {
  const { projectId } = run.job;
  const { db } = run.ctx;
  await run.report(5, { stage: "Removing rows" });
  await db.transaction(async (tx) => {
    const own = tx
      .select({ id: checkpoints.id })
      .from(checkpoints)
      .where(eq(checkpoints.projectId, projectId));
    await lockProjectRows(tx, [projectId, ...(await projectsLinkedTo(tx, own))]);
    await run.requireCurrentAttempt(tx);
    const leaving = await lockLeavingScenarios(tx, projectId);
    await tx.delete(scenarioCheckpoints).where(
      and(
        eq(scenarioCheckpoints.upstreamProjectId, projectId),
        inArray(
          scenarioCheckpoints.scenarioId,
          leaving.map(({ id }) => id),
        ),
      ),
    );
    // One at a time, because a statement has a time-out. Clones go before the scenarios that they were made from.
    for (const scenario of leaving.toReversed())
      if (scenario.projectId === projectId) await tx.delete(scenarios).where(eq(scenarios.id, scenario.id));
    await tx.delete(uploads).where(eq(uploads.projectId, projectId));
    await tx.delete(projects).where(eq(projects.id, projectId));
    faultPoint(run.job, "rows removed");
    await run.complete(tx, { message: "The project and everything in it are removed" });
  });
}

/**
 * Locks the project's scenarios, and other projects' scenarios that are being deleted: neither may keep references to the
 * project's checkpoints. The order by ID locks a scenario before the scenarios that were made from it, as the removal of a
 * scenario does.
 */
async function lockLeavingScenarios(
  tx: Transaction,
  projectId: string,
): Promise<{ id: string; projectId: string }[]> {
  const own = tx.select({ id: scenarios.id }).from(scenarios).where(eq(scenarios.projectId, projectId));
  const beingDeleted = tx
    .select({ id: scenarios.id })
    .from(scenarioCheckpoints)
    .innerJoin(scenarios, eq(scenarios.id, scenarioCheckpoints.scenarioId))
    .innerJoin(projects, eq(projects.id, scenarios.projectId))
    .where(
      and(
        eq(scenarioCheckpoints.upstreamProjectId, projectId),
        or(isNotNull(scenarios.deletedAt), isNotNull(projects.deletedAt)),
      ),
    );
  return tx
    .select({ id: scenarios.id, projectId: scenarios.projectId })
    .from(scenarios)
    .where(inArray(scenarios.id, union(own, beingDeleted)))
    .orderBy(scenarios.id)
    .for("update");
}
