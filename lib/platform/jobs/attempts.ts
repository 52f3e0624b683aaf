import { and, eq, lt, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobRow } from "./job-run.ts";

/**
 * How often a job is begun before it is Failed for good. Attempts that were given back do not count: by a worker that
 * stops, or because the database was away.
 */
export const maxAttempts = 3;

/** From then on an outage counts as a failure: it may be the job that brings the database down. */
export const mostAttempts = 20;

type Attempts = Pick<JobRow, "attempt" | "failures" | "handovers">;

/** How many of a job's attempts count towards `maxAttempts`, the present one included. */
export function countedAttempts({ attempt, handovers }: Attempts): number {
  return attempt - handovers;
}

/** Of a job that nobody does just now: how many attempts ended without a word, because their process did. */
export function crashesOf({ attempt, failures, handovers }: Attempts): number {
  return attempt - failures - handovers;
}

type Attempt = Pick<JobRow, "id" | "attempt">;

/** Notes that an attempt has failed, and that the job is tried again. */
export async function noteFailure(db: Database, attempt: Attempt): Promise<void> {
  await db
    .update(jobs)
    .set({ failures: sql`${jobs.failures} + 1` })
    .where(isPresent(attempt));
}

/** Notes that a worker that stops has given up its attempts, for others to go on with the jobs. */
export async function noteHandovers(db: Database, attempts: readonly Attempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await db
    .update(jobs)
    .set({ handovers: sql`${jobs.handovers} + 1` })
    .where(or(...attempts.map(isPresent)));
}

/** Notes that an attempt ended because the database was away; also where another one has begun since. */
export async function noteOutage(db: Database, { id }: Attempt): Promise<void> {
  await db
    .update(jobs)
    .set({ handovers: sql`${jobs.handovers} + 1` })
    .where(
      and(
        eq(jobs.id, id),
        eq(jobs.status, "Running"),
        // Who has heard nothing of the answer asks again.
        lt(sql`${jobs.failures} + ${jobs.handovers}`, jobs.attempt),
      ),
    );
}

function isPresent({ id, attempt }: Attempt) {
  return and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, "Running"));
}
