import { and, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { Context } from "#lib/platform/context/context";
import { JobCancelled, StaleAttempt } from "./job-errors.ts";
import { ProgressThrottle } from "./progress-throttle.ts";
import { publishJobUpdated } from "./publish-job-updated.ts";

export type JobRow = typeof jobs.$inferSelect;

export type ProgressNote = {
  stage?: string;
  message?: string;
  rows?: { total: number; processed: number };
};

/** Fields that a job's record gains at completion. */
type CompletionPatch = Partial<
  Pick<
    JobRow,
    "message" | "scenarioId" | "checkpointId" | "modelId" | "rowsTotal" | "rowsProcessed" | "outputOptions"
  >
>;

/** One attempt of a job, as passed to its handler. */
export type JobRun = {
  job: JobRow;
  /** Context of the user or key that enqueued the job. */
  ctx: Context;
  /**
   * Aborted when the job is cancelled or reaches its time limit, when another attempt begins, when pg-boss takes the
   * job from this worker, and when the worker stops.
   */
  signal: AbortSignal;
  /**
   * Reports progress, 0 to 100. Calls are cheap: progress is written at most four times a second and at each new stage.
   * It never decreases.
   *
   * @throws {JobCancelled | StaleAttempt | JobTimedOut | WorkerStopping} the handler must not catch these errors
   */
  report(percent: number, note?: ProgressNote): Promise<void>;
  /**
   * Locks the job's row, so that the transaction commits only while this attempt is the current one.
   *
   * @throws {JobCancelled | StaleAttempt}
   */
  requireCurrentAttempt(tx: Transaction): Promise<void>;
  /**
   * Completes the job in the transaction of its last writes. Every handler calls this once.
   *
   * @throws {JobCancelled | StaleAttempt}
   */
  complete(tx: Transaction, patch?: CompletionPatch): Promise<void>;
};

/** @param now milliseconds, for the throttle */
export function jobRun(
  { db, job, ctx, signal }: { db: Database; job: JobRow; ctx: Context; signal: AbortSignal },
  now: () => number = () => performance.now(),
): JobRun {
  const { id, attempt } = job;
  const mine = and(eq(jobs.id, id), eq(jobs.attempt, attempt), eq(jobs.status, "Running"));
  const throttle = new ProgressThrottle(now);

  async function requireCurrentAttempt(tx: Transaction): Promise<void> {
    const [row] = await tx
      .select({ cancelRequested: jobs.cancelRequested })
      .from(jobs)
      .where(mine)
      .for("no key update");
    if (row === undefined) throw new StaleAttempt();
    if (row.cancelRequested) throw new JobCancelled();
  }

  return {
    job,
    ctx,
    signal,
    async report(percent, note = {}) {
      signal.throwIfAborted();
      const due = throttle.next(percent, note.stage);
      if (due === null) return;
      await db.transaction(async (tx) => {
        const [row] = await tx
          .update(jobs)
          .set({
            progress: sql`greatest(${jobs.progress}, ${due.percent})`,
            stage: note.stage,
            message: note.message,
            rowsTotal: note.rows?.total,
            rowsProcessed: note.rows?.processed,
          })
          .where(mine)
          .returning({ cancelRequested: jobs.cancelRequested });
        if (row === undefined) throw new StaleAttempt();
        if (row.cancelRequested) throw new JobCancelled();
        if (due.isPublished) await publishJobUpdated(tx, job, "Running");
      });
    },
    requireCurrentAttempt,
    async complete(tx, patch = {}) {
      await requireCurrentAttempt(tx);
      await tx
        .update(jobs)
        .set({ ...patch, status: "Completed", progress: 100, finishedAt: sql`clock_timestamp()` })
        .where(mine);
      await publishJobUpdated(tx, job, "Completed");
    },
  };
}
