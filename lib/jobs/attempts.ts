import { and, eq, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobRow } from "./job-run.ts";

/** How often a job is begun before it is Failed for good. Attempts that a stopping worker handed over do not count. */
export const maxAttempts = 3;

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

function isPresent({ id, attempt }: Attempt) {
  return and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, "Running"));
}
