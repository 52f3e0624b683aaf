import { and, eq, not, notExists } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { projects } from "#db/schema/projects";
import { isVisibleTo } from "#lib/domain/projects/project-role";
import type { Actor, Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import type { JobRow } from "#lib/platform/jobs/job-run";

/**
 * Returns a job if the caller may see it. An API key sees only jobs of its project, and a user those of projects in which the
 * user has a role. The job that deletes a project stays visible when the project is gone.
 *
 * @throws {DomainError} job_not_found, the same for another project's job and for an unknown job
 */
export async function findJob(
  ctx: Pick<Context, "actor"> & { db: Queryable },
  jobId: string,
): Promise<JobRow> {
  const [job] = await ctx.db
    .select()
    .from(jobs)
    .where(visible(ctx.db, ctx.actor, jobId));
  return requireJob(job);
}

/** Returns a job as `findJob` does, with its row locked until the transaction ends. */
export async function lockJob(tx: Transaction, actor: Actor, jobId: string): Promise<JobRow> {
  const [job] = await tx
    .select()
    .from(jobs)
    .where(visible(tx, actor, jobId))
    .for("no key update");
  return requireJob(job);
}

/** Returns a job without an access check, for workers. */
export async function readJob(db: Queryable, jobId: string): Promise<JobRow | null> {
  const [job] = await db.select().from(jobs).where(eq(jobs.id, jobId));
  return job ?? null;
}

const visible = (db: Queryable, actor: Actor, jobId: string) =>
  and(
    eq(jobs.id, jobId),
    actor.kind === "api-key" ? eq(jobs.projectId, actor.projectId) : notHidden(db, actor),
  );

function notHidden(db: Queryable, actor: Actor) {
  const visibleProjects = isVisibleTo(db, actor);
  if (visibleProjects === undefined) return undefined;
  const hidden = and(eq(projects.id, jobs.projectId), not(visibleProjects));
  return notExists(db.select({ id: projects.id }).from(projects).where(hidden));
}

function requireJob(job: JobRow | undefined): JobRow {
  if (job === undefined) throw standardError("job_not_found");
  return job;
}
