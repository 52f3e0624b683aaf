import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { projectDependencies, projects } from "#db/schema/projects";
import { scenarioCheckpoints, scenarioRuns, scenarios } from "#db/schema/scenarios";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { connectionUser, endConnections } from "#lib/platform/realtime/connection-ends";
import { getProject } from "./get-project.ts";
import { lockDependencies, lockProject } from "./lock-project.ts";

/**
 * Hides a project at once; a job deletes its data.
 *
 * @throws {DomainError} `project_not_found`; `validation_failed` naming the downstream projects, or the projects with
 *   scenarios that use its checkpoints
 */
export async function deleteProject(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<{ message: string; projectId: string; jobId: string }> {
  return ctx.db.transaction(async (tx) => {
    await lockDependencies(tx);
    await lockProject(tx, projectId);
    await requireIfMatch(ctx, () => getProject({ db: tx }, { projectId }));
    const [row] = await tx
      .update(projects)
      .set({ deletedAt: sql`now()` })
      .where(eq(projects.id, projectId))
      .returning({ name: projects.name });
    const { name } = row!;
    await rejectWhileUsed(tx, projectId, name);
    await tx.delete(projectDependencies).where(eq(projectDependencies.projectId, projectId));
    await cancelJobs(tx, projectId);
    await endConnections(tx, connectionUser.project(projectId));
    await recordChange(tx, ctx, "project.deleted", { projectId, entityId: projectId, label: name });
    const job = await enqueueJob(tx, ctx, { type: "DeleteProject", projectId, payload: {} });
    const message = `Deletion of project ${JSON.stringify(name)} was initiated. Its data is removed in the background.`;
    return { message, projectId, jobId: job.id };
  });
}

/** Cancels the jobs in id order, the lock order for several rows. */
async function cancelJobs(tx: Transaction, projectId: string): Promise<void> {
  const open = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), isNull(jobs.finishedAt)))
    .orderBy(jobs.id)
    .for("no key update");
  const ids = open.map(({ id }) => id);
  await tx.update(jobs).set({ cancelRequested: true }).where(inArray(jobs.id, ids));
}

async function rejectWhileUsed(tx: Transaction, projectId: string, name: string): Promise<void> {
  const depends = tx
    .select({ id: projectDependencies.projectId })
    .from(projectDependencies)
    .where(eq(projectDependencies.upstreamProjectId, projectId));
  const hasScenarios = tx
    .select({ id: scenarios.projectId })
    .from(scenarioCheckpoints)
    .innerJoin(scenarioRuns, eq(scenarioRuns.id, scenarioCheckpoints.runId))
    .innerJoin(scenarios, and(eq(scenarios.id, scenarioRuns.scenarioId), isNull(scenarios.deletedAt)))
    .where(eq(scenarioCheckpoints.upstreamProjectId, projectId));
  const users = await tx
    .select({ id: projects.id, name: projects.name })
    .from(projects)
    .where(
      and(
        isNull(projects.deletedAt),
        ne(projects.id, projectId),
        inArray(projects.id, union(depends, hasScenarios)),
      ),
    );
  if (users.length === 0) return;
  const names = users.map((user) => JSON.stringify(user.name)).join(", ");
  const message = `${JSON.stringify(name)} is used by ${names}: remove the dependency, and the scenarios that use its checkpoints, first.`;
  throw new DomainError("validation_failed", message, {
    details: users.map((user) => ({
      id: user.id,
      code: "project_in_use",
      message: `The project ${JSON.stringify(user.name)} (${user.id}) uses it.`,
    })),
  });
}
