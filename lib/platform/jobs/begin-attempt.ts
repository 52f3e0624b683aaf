import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { maxLostAttempts } from "./attempts.ts";
import type { JobRow } from "./job-run.ts";
import { publishJobUpdated } from "./publish-job-updated.ts";
import { openStates } from "./states.ts";

/**
 * Starts a new attempt of a job. Later writes of earlier attempts are rejected.
 *
 * @returns null if no attempts are left, or if the job has ended: it was cancelled, or a worker stored its end and died
 *   before it notified pg-boss
 */
export async function beginAttempt(db: Database, jobId: string): Promise<JobRow | null> {
  return db.transaction(async (tx) => {
    const [job] = await tx
      .update(jobs)
      .set({
        status: "Running",
        attempt: sql`${jobs.attempt} + 1`,
        startedAt: sql`coalesce(${jobs.startedAt}, clock_timestamp())`,
        progress: 0,
        stage: null,
        message: null,
        rowsTotal: null,
        rowsProcessed: null,
      })
      .where(
        and(
          eq(jobs.id, jobId),
          inArray(jobs.status, [...openStates]),
          lt(sql`${jobs.attempt} - ${jobs.failures} - ${jobs.interruptions}`, maxLostAttempts),
        ),
      )
      .returning();
    if (job === undefined) return null;
    await publishJobUpdated(tx, job, "Running");
    return job;
  });
}
