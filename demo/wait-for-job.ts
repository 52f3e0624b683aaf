import { setTimeout } from "node:timers/promises";
import type { Database } from "#db/client";
import { readJob } from "#lib/domain/jobs/find-job";
import { isTerminal } from "#lib/platform/jobs/states";

const POLL_MS = 150;
const GIVE_UP_AFTER_MS = 10 * 60_000;

/**
 * Waits until a worker has completed a job.
 *
 * @throws {Error} if the job does not exist, fails or is cancelled, or is still open after ten minutes
 */
export async function waitForJob(db: Database, jobId: string): Promise<void> {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const job = await readJob(db, jobId);
    if (job === null) throw new Error(`There is no job ${jobId}.`);
    if (job.status === "Completed") return;
    if (isTerminal(job.status)) {
      throw new Error(
        `The job ${job.type} ended ${job.status}: ${job.errorMessage ?? "no reason was given"}`,
      );
    }
    if (Date.now() > giveUpAt)
      throw new Error(`The job ${job.type} is still ${job.status}: is a worker running?`);
    await setTimeout(POLL_MS);
  }
}
