import type { Transaction } from "#db/client";
import type { Context } from "#lib/context/context";
import type { JobType } from "#lib/contract/jobs";
import type { PayloadOf } from "#lib/jobs/catalogue";
import type { JobRequest } from "#lib/jobs/enqueue-job";
import type { JobRow, JobRun } from "#lib/jobs/job-run";

/** How jobs of a type are done. `handlers/<type>.ts` exports one, named for its type: `createCheckpoint`. */
export type JobHandler<T extends JobType> = {
  /**
   * Does the job and ends with `run.complete(tx)` in the transaction of its last writes. It may run again after a crash
   * at any point. A `DomainError` is for good, its message is shown to the user; anything else is tried again.
   */
  run(run: JobRun, payload: PayloadOf<T>): Promise<void>;
  /** Cleans up in the transaction that makes the job Failed or Cancelled, for instance drops what was reserved. */
  abandon?(tx: Transaction, job: JobRow): Promise<void>;
  /**
   * Whether a failed or cancelled job can be repeated, and what that needs: called in the transaction that enqueues the
   * new job, before it is enqueued; what it returns replaces that of the old job. Left out: the same job once more.
   */
  retry?:
    | false
    | ((tx: Transaction, ctx: Context, job: JobRow, newJobId: string) => Promise<RetryChanges<T>>);
};

export type RetryChanges<T extends JobType> = Partial<
  Pick<JobRequest<T>, "payload" | "scenarioId" | "checkpointId" | "modelId">
>;
