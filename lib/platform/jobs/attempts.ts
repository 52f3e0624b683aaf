import { and, eq, lt, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobRow } from "./job-run.ts";

// An attempt is one delivery of a job to a worker. A job must end if it cannot succeed, but it must not pay for the end of a
// worker that another job, a deployment or an outage caused. So the ends of attempts are counted apart:
//
// | the attempt ended by | counter | fails the job |
// | --- | --- | --- |
// | an error, or the end of a process that ran this job alone | `failures` | at the third |
// | a stopping worker, or an outage of the database | `interruptions` | never; outages count as failures from attempt 20 on |
// | a worker that ended without recording why | none: `attempt - failures - interruptions` | at the 20th |
//
// For example, a training starts (attempt 1) and a deployment interrupts it (interruptions 1). Attempt 2 throws (failures 1).
// The worker of attempt 3 is killed while it also runs a hostile job: 3 - 1 - 1 = 1 attempt is lost. Attempt 4 runs in its own
// process, and one more error leaves the job one attempt.
//
// A single count of three would be simpler, but three deployments would fail an hour of training, and one hostile job would
// fail each job that shared its worker three times.

/** Maximum number of failed attempts before a job is Failed. */
const maxAttempts = 3;

/**
 * Maximum number of lost attempts before a job is Failed. After the first one, the job runs in its own process, so that
 * the next end is seen and counts for this job alone.
 */
export const maxLostAttempts = 20;

/** From this attempt on, an outage counts as a failure of the job, which may have caused it. */
export const outagesCountFromAttempt = 20;

type Attempts = Pick<JobRow, "attempt" | "failures" | "interruptions">;

/** Returns whether an error in the current attempt fails the job. */
export function isLastAttempt({ failures }: Pick<JobRow, "failures">): boolean {
  return failures + 1 >= maxAttempts;
}

/** Returns the number of attempts without a recorded end. Their worker ended or lost the job, or they still run. */
export function lostAttempts({ attempt, failures, interruptions }: Attempts): number {
  return attempt - failures - interruptions;
}

type Attempt = Pick<JobRow, "id" | "attempt">;

/** Records a failed attempt that will be retried. */
export async function recordFailure(db: Database, attempt: Attempt): Promise<void> {
  await db
    .update(jobs)
    .set({ failures: sql`${jobs.failures} + 1` })
    .where(isCurrentAttempt(attempt));
}

/** Records that a stopping worker has interrupted its attempts, so that they do not count. */
export async function recordInterruptions(db: Database, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await db
    .update(jobs)
    .set({ interruptions: sql`${jobs.interruptions} + 1` })
    .where(or(...attempts.map(isCurrentAttempt)));
}

/**
 * Records that an attempt ended during a database outage, even if another attempt has started since.
 *
 * @param begun the job as it was when the attempt began
 */
export async function recordOutage(db: Database, begun: Attempt & Attempts): Promise<void> {
  const { id, attempt, failures, interruptions } = begun;
  const endedBefore = failures + interruptions;
  await db
    .update(jobs)
    .set({ interruptions: sql`${jobs.interruptions} + 1` })
    .where(
      and(
        eq(jobs.id, id),
        eq(jobs.status, "Running"),
        // The caller repeats this update if its response is lost. If the first one was stored, all attempts since the one that
        // ended have a recorded end, and the repetition changes nothing. Earlier attempts may have crashed.
        lt(
          sql`${jobs.failures} + ${jobs.interruptions}`,
          sql`${endedBefore - attempt + 1}::int + ${jobs.attempt}`,
        ),
      ),
    );
}

function isCurrentAttempt({ id, attempt }: Attempt) {
  return and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, "Running"));
}
