import type { JobType } from "#lib/contract/jobs";
import type { PrepareRetry } from "#lib/domain/jobs/retry-job";
import type { PayloadOf } from "#lib/platform/jobs/catalogue";
import type { Abandon } from "#lib/platform/jobs/end-job";
import type { JobRun } from "#lib/platform/jobs/job-run";

/** How jobs of a type are done. `handlers/<type>.ts` exports one, named for its type: `createCheckpoint`. */
export type JobHandler<T extends JobType> = {
  /**
   * Does the job and ends with `run.complete(tx)` in the transaction of its last writes. It may run again after a crash
   * at any point. A `DomainError` is for good, its message is shown to the user; anything else is tried again.
   */
  run(run: JobRun, payload: PayloadOf<T>): Promise<void>;
  /** Cleans up in the transaction that makes the job Failed or Cancelled, for instance drops what was reserved. */
  abandon?: Abandon;
  /** Left out: the same job can be repeated as it was. */
  retry?: PrepareRetry<T>;
};
