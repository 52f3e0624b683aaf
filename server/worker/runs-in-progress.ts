import { inArray } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { JobType } from "#lib/contract/jobs";
import { Turns } from "#lib/platform/concurrency/slots";
import { crashesOf } from "#lib/platform/jobs/attempts";
import { catalogue, type QueueName } from "#lib/platform/jobs/catalogue";
import { JobCancelled, JobTimedOut, StaleAttempt, WorkerStopping } from "#lib/platform/jobs/job-errors";
import type { JobRow } from "#lib/platform/jobs/job-run";

type Run = { job: JobRow; controller: AbortController };

/** The attempts that this worker has under way, and why they are told to stop. */
export class RunsInProgress {
  readonly #runs = new Set<Run>();
  readonly #stopping = new AbortController();
  readonly #suspects: Record<QueueName, Turns> = { short: oneAtATime(), long: oneAtATime() };
  readonly #minutesOf: (type: JobType) => number;

  /** @param minutesOf how long an attempt at a job of a type may take */
  constructor(minutesOf: (type: JobType) => number = (type) => catalogue[type].minutes) {
    this.#minutesOf = minutesOf;
  }

  /**
   * To be waited for before an attempt begins. A process ended during earlier attempts at some jobs: of those each queue
   * does one at a time, so that the one that ends processes does not use up the attempts of those beside it.
   *
   * @throws {WorkerStopping} and the reason of `claimLost`
   */
  async turn(job: JobRow, claimLost: AbortSignal): Promise<Disposable | null> {
    const signal = AbortSignal.any([claimLost, this.#stopping.signal]);
    signal.throwIfAborted();
    return crashesOf(job) > 0 ? this.#suspects[catalogue[job.type].queue].take(signal) : null;
  }

  /** @returns the run's signal, and what to call when the run has ended */
  add(job: JobRow, claimLost: AbortSignal): { signal: AbortSignal; done: () => void } {
    const run = { job, controller: new AbortController() };
    this.#runs.add(run);
    const lose = () => run.controller.abort(new StaleAttempt());
    if (claimLost.aborted) lose();
    else claimLost.addEventListener("abort", lose, { once: true });
    const minutes = this.#minutesOf(job.type);
    const late = setTimeout(() => run.controller.abort(new JobTimedOut(minutes)), minutes * 60_000);
    const done = () => {
      clearTimeout(late);
      this.#runs.delete(run);
      claimLost.removeEventListener("abort", lose);
    };
    return { signal: run.controller.signal, done };
  }

  /** Aborted when the worker stops. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** @returns the jobs whose attempts are given up with this */
  stopAll(): JobRow[] {
    this.#stopping.abort(new WorkerStopping());
    for (const { controller } of this.#runs) controller.abort(new WorkerStopping());
    return Array.from(this.#runs, ({ job }) => job);
  }

  /** Looks whether any of them was cancelled or overtaken, for handlers that report seldom. */
  async check(db: Database): Promise<void> {
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
    for (const { job, controller } of runs) {
      const row = byId.get(job.id);
      const isMine = row?.attempt === job.attempt;
      // Nobody but the attempt itself completes it: it is about to return.
      if (isMine && row.status === "Completed") continue;
      if (!isMine || row.status !== "Running") controller.abort(new StaleAttempt());
      else if (row.cancelRequested) controller.abort(new JobCancelled());
    }
  }
}

const oneAtATime = () => new Turns({ atOnce: 1, waiting: Number.POSITIVE_INFINITY, waitMs: 2 ** 31 - 1 });
