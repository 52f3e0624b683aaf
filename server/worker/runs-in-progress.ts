import { inArray } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobType } from "#lib/contract/jobs";
import { catalogue } from "#lib/platform/jobs/catalogue";
import { JobCancelled, JobTimedOut, StaleAttempt, WorkerStopping } from "#lib/platform/jobs/job-errors";
import type { JobRow } from "#lib/platform/jobs/job-run";

type Run = { job: JobRow; controller: AbortController };

/** Running attempts of this worker, and the reasons to stop them. */
export class RunsInProgress {
  readonly #runs = new Set<Run>();
  readonly #stopping = new AbortController();
  readonly #minutesOf: (type: JobType) => number;

  /** @param minutesOf returns the time limit of an attempt by job type */
  constructor(minutesOf: (type: JobType) => number = (type) => catalogue[type].minutes) {
    this.#minutesOf = minutesOf;
  }

  /** Registers an attempt. Returns its signal and a function to call at its end. */
  register(job: JobRow, deliveryLost: AbortSignal): { signal: AbortSignal; done: () => void } {
    const run = { job, controller: new AbortController() };
    this.#runs.add(run);
    const lose = () => run.controller.abort(new StaleAttempt());
    if (deliveryLost.aborted) lose();
    else deliveryLost.addEventListener("abort", lose, { once: true });
    const minutes = this.#minutesOf(job.type);
    const late = setTimeout(() => run.controller.abort(new JobTimedOut(minutes)), minutes * 60_000);
    const done = () => {
      clearTimeout(late);
      this.#runs.delete(run);
      deliveryLost.removeEventListener("abort", lose);
    };
    return { signal: run.controller.signal, done };
  }

  /** Aborted when the worker stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Stops all attempts and returns their jobs. */
  stopAll(): JobRow[] {
    this.#stopping.abort(new WorkerStopping());
    for (const { controller } of this.#runs) controller.abort(new WorkerStopping());
    return Array.from(this.#runs, ({ job }) => job);
  }

  /** Stops attempts that were cancelled or replaced. A handler that seldom reports progress would notice this late. */
  async stopCancelledAndStale(db: Database): Promise<void> {
    const runs = [...this.#runs];
    if (runs.length === 0) return;
    const rows = await db
      .select({
        id: jobs.id,
        status: jobs.status,
        attempt: jobs.attempt,
        cancelRequested: jobs.cancelRequested,
      })
      .from(jobs)
      .where(
        inArray(
          jobs.id,
          runs.map(({ job }) => job.id),
        ),
      );
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const run of runs) {
      const { job, controller } = run;
      const row = byId.get(job.id);
      const isMine = row?.attempt === job.attempt;
      // Only the attempt itself completes its job, so it is about to return.
      if (isMine && row.status === "Completed") continue;
      if (!isMine || row.status !== "Running") controller.abort(new StaleAttempt());
      else if (row.cancelRequested) controller.abort(new JobCancelled());
    }
  }
}
