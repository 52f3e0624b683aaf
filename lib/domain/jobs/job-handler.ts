import type { JobType } from "#lib/contract/jobs";
import type { PrepareRetry } from "#lib/domain/jobs/retry-job";
import type { PayloadOf } from "#lib/platform/jobs/catalogue";
import type { Abandon } from "#lib/platform/jobs/end-job";
import type { JobRun } from "#lib/platform/jobs/job-run";

/**
 * Runs jobs of a type, cleans up after them and retries them. `job-handlers/handler-registry.ts` lists all handlers.
 */
export type JobHandler<T extends JobType> = {
  /**
   * Does the job and ends with `run.complete(tx)` in the transaction of its last writes. May run again after a crash
   * at any point. The errors of `permanentFailure`, such as a `DomainError` about the input, end the job, and the
   * user sees their message. All other errors are retried.
   */
  run(run: JobRun, payload: PayloadOf<T>): Promise<void>;
  /** Cleans up in the transaction that makes the job Failed or Cancelled, for example deletes reservations. */
  abandon?: Abandon;
  /** If omitted, the job can be retried unchanged. */
  retry?: PrepareRetry<T>;
};
