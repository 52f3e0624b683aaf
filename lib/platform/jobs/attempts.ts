import { and, eq, lt, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobRow } from "./job-run.ts";

/** Maximum number of failed attempts before a job is Failed. */
export const maxAttempts = 3;

/**
 * Maximum number of lost attempts before a job is Failed. An attempt is lost if its worker ended without recording why, so
 * another job of that worker may be the cause. Lost attempts do not count as failed: a job with one runs in a process of
 * its own from then on, whose end is seen and counts.
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
