import { eq } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { isTerminal } from "#lib/jobs/states";
import { countedAttempts, maxAttempts } from "#lib/platform/jobs/attempts";
import { endJob } from "#lib/platform/jobs/end-job";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { abandonOf } from "#lib/worker/handler-registry";
import { crashFailure } from "./failure-of.ts";

/**
 * Ends a job that nobody does any more and that is not begun again: Cancelled where that was asked for, else Failed with
 * how its attempts ended.
 *
 * @param job locked, as it stands
 * @returns false where it is still to be done
 */
export async function endLostJob(tx: Transaction, job: JobRow): Promise<boolean> {
  const isOver = job.status === "Running" && countedAttempts(job) >= maxAttempts;
  if (isTerminal(job.status) || !(isOver || job.cancelRequested)) return false;
  await endJob(tx, job, job.cancelRequested ? null : crashFailure(job), await abandonOf(job.type));
  return true;
}

/** The same for a job that was delivered although it has no attempts left: its process ended in the last one. */
export async function endUsedUpJob(db: Database, jobId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [job] = await tx.select().from(jobs).where(eq(jobs.id, jobId)).for("no key update");
    if (job !== undefined) await endLostJob(tx, job);
  });
}
