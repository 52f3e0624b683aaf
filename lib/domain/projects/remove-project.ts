import { and, desc, eq, inArray, isNotNull, or } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client";
import { checkpoints } from "#db/schema/checkpoints";
import { uploads } from "#db/schema/datasets";
import { projects } from "#db/schema/projects";
import { scenarioCheckpoints, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { projectsLinkedTo } from "#lib/domain/projects/lock-projects-with-slots";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { lockProjectRows } from "./lock-project.ts";

/** Removes all rows and artifacts of a deleted project. The job's record and the audit log stay. */
export async function removeProject(run: JobRun): Promise<void> {
  const { projectId } = run.job;
  const { db } = run.ctx;
  await removeOwnScenarios(run);
  await db.transaction(async (tx) => {
    const own = tx
      .select({ id: checkpoints.id })
      .from(checkpoints)
      .where(eq(checkpoints.projectId, projectId));
    await lockProjectRows(tx, [projectId, ...(await projectsLinkedTo(tx, own))]);
    await run.requireCurrentAttempt(tx);
    const leaving = await lockLeavingScenarios(tx, projectId);
    await tx
      .delete(scenarioCheckpoints)
      .where(
        and(
          eq(scenarioCheckpoints.upstreamProjectId, projectId),
          inArray(
            scenarioCheckpoints.runId,
            tx
              .select({ id: scenarioRuns.id })
              .from(scenarioRuns)
              .where(inArray(scenarioRuns.scenarioId, leaving)),
          ),
        ),
      );
    await tx.delete(scenarios).where(eq(scenarios.projectId, projectId));
    await tx.delete(uploads).where(eq(uploads.projectId, projectId));
    await tx.delete(projects).where(eq(projects.id, projectId));
    await run.complete(tx, { message: "The project and everything in it are removed" });
  });
}

/**
 * Deletes the project's scenarios one at a time: all of them together would exceed the time-out of a statement, and block
 * linked projects meanwhile. Clones go before the scenarios that they were made from.
 */
async function removeOwnScenarios(run: JobRun): Promise<void> {
  const { db } = run.ctx;
  const own = await db
    .select({ id: scenarios.id })
    .from(scenarios)
    .where(eq(scenarios.projectId, run.job.projectId))
    .orderBy(desc(scenarios.id));
  for (const [at, { id }] of own.entries()) {
    await run.report(5 + (90 * at) / own.length, { stage: "Removing rows" });
    await db.transaction(async (tx) => {
      await run.requireCurrentAttempt(tx);
      await tx.delete(scenarios).where(eq(scenarios.id, id));
    });
  }
}

/**
 * Locks the project's scenarios, and other projects' scenarios that are being deleted: neither may keep references to the
 * project's checkpoints. The order by ID locks a scenario before the scenarios that were made from it, as the removal of a
 * scenario does.
 */
async function lockLeavingScenarios(tx: Transaction, projectId: string): Promise<string[]> {
  const own = tx.select({ id: scenarios.id }).from(scenarios).where(eq(scenarios.projectId, projectId));
  const beingDeleted = tx
    .select({ id: scenarios.id })
    .from(scenarioCheckpoints)
    .innerJoin(scenarioRuns, eq(scenarioRuns.id, scenarioCheckpoints.runId))
    .innerJoin(scenarios, eq(scenarios.id, scenarioRuns.scenarioId))
    .innerJoin(projects, eq(projects.id, scenarios.projectId))
    .where(
      and(
        eq(scenarioCheckpoints.upstreamProjectId, projectId),
        or(isNotNull(scenarios.deletedAt), isNotNull(projects.deletedAt)),
      ),
    );
  const rows = await tx
    .select({ id: scenarios.id })
    .from(scenarios)
    .where(inArray(scenarios.id, union(own, beingDeleted)))
    .orderBy(scenarios.id)
    .for("update");
  return rows.map(({ id }) => id);
}
