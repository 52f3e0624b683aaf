import { eq } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { lostAttempts, maxLostAttempts } from "#lib/platform/jobs/attempts";
import { endJob } from "#lib/platform/jobs/end-job";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { isTerminal } from "#lib/platform/jobs/states";
import { lostFailure } from "./failures.ts";

/**
 * Ends a job that cannot start another attempt. The caller ensures that no worker runs it. A job whose cancellation was
 * requested ends as Cancelled. A job without attempts left ends as Failed.
 *
 * @param job current row, locked by the transaction
 * @returns false if the job has already ended, or if it has attempts left and is not to be cancelled
 */
export async function endIfNotRunnable(tx: Transaction, job: JobRow): Promise<boolean> {
  const hasNoAttemptsLeft = job.status === "Running" && lostAttempts(job) >= maxLostAttempts;
  if (isTerminal(job.status) || !(hasNoAttemptsLeft || job.cancelRequested)) return false;
  await endJob(tx, job, job.cancelRequested ? null : lostFailure, await abandonOf(job.type));
  return true;
}

/** Ends a delivered job that cannot start another attempt. Does nothing if the job has already ended. */
export async function endDeliveredIfNotRunnable(db: Database, jobId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [job] = await tx.select().from(jobs).where(eq(jobs.id, jobId)).for("no key update");
    if (job !== undefined) await endIfNotRunnable(tx, job);
  });
}
