import { and, eq } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { Actor, Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import type { JobRow } from "#lib/platform/jobs/job-run";

/**
 * Returns a job if the caller may see it. An API key sees only jobs of its project.
 *
 * @throws {DomainError} job_not_found, the same for another project's job and for an unknown job
 */
export async function findJob(ctx: Pick<Context, "db" | "actor">, jobId: string): Promise<JobRow> {
  const [job] = await ctx.db.select().from(jobs).where(visible(ctx.actor, jobId));
  return requireJob(job);
}

/** Returns a job as `findJob` does, with its row locked until the transaction ends. */
export async function lockJob(tx: Transaction, actor: Actor, jobId: string): Promise<JobRow> {
  const [job] = await tx.select().from(jobs).where(visible(actor, jobId)).for("no key update");
  return requireJob(job);
}

/** Returns a job without an access check, for workers. */
export async function readJob(db: Queryable, jobId: string): Promise<JobRow | null> {
  const [job] = await db.select().from(jobs).where(eq(jobs.id, jobId));
  return job ?? null;
}

const visible = (actor: Actor, jobId: string) =>
  and(eq(jobs.id, jobId), actor.kind === "api-key" ? eq(jobs.projectId, actor.projectId) : undefined);

function requireJob(job: JobRow | undefined): JobRow {
  if (job === undefined) throw standardError("job_not_found");
  return job;
}
