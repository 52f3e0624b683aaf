import { and, eq, gt, isNull, ne, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { lostAttempts } from "#lib/platform/jobs/attempts";
import type { JobRow } from "#lib/platform/jobs/job-run";

/**
 * Returns whether a job may end the process that runs it, so that it must run in its own process. This applies to a
 * job that has lost an attempt, and to further jobs of its project until it has completed, or for an hour after it
 * failed. Otherwise, twenty requests of one project could each end a worker once.
 */
export async function isSuspect(db: Database, job: JobRow): Promise<boolean> {
  if (lostAttempts(job) > 0) return true;
  // The latest attempt of a job has no recorded end either, while it runs and after it ended the job.
  const hasLostAttempt = gt(jobs.attempt, sql`${jobs.failures} + ${jobs.interruptions} + 1`);
  const isRecent = or(isNull(jobs.finishedAt), gt(jobs.finishedAt, sql`now() - interval '1 hour'`));
  const ofProject = and(eq(jobs.projectId, job.projectId), gt(jobs.createdAt, sql`now() - interval '1 day'`));
  const [suspect] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(ofProject, ne(jobs.status, "Completed"), hasLostAttempt, isRecent))
    .limit(1);
  return suspect !== undefined;
}
