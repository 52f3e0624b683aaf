import { and, asc, eq } from "drizzle-orm";
import { jobs } from "#db/schema/jobs";
import { readJob } from "#lib/domain/jobs/find-job";
import { database } from "#lib/platform/database/process-database";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { runJob } from "#server/worker/run-job";
import { RunsInProgress } from "#server/worker/runs-in-progress";

/** Runs one attempt of a job in this process, like a worker after pg-boss has delivered the job. */
export async function runJobHere(jobId: string): Promise<JobRow> {
  const db = database();
  await runJob(db, jobId, new AbortController().signal, new RunsInProgress());
  return (await readJob(db, jobId))!;
}

/** Runs the project's pending jobs, oldest first, until none is pending. */
export async function runJobsHere(projectId: string): Promise<JobRow[]> {
  const done: JobRow[] = [];
  for (;;) {
    const [next] = await database()
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(eq(jobs.projectId, projectId), eq(jobs.status, "Pending")))
      .orderBy(asc(jobs.createdAt), asc(jobs.id))
      .limit(1);
    if (next === undefined) return done;
    done.push(await runJobHere(next.id));
  }
}
