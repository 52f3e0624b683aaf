import { and, eq, gt, isNull, ne, or, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { abandonOf } from "#lib/domain/job-handlers/handler-registry";
import { readJob } from "#lib/domain/jobs/find-job";
import { isLastAttempt, lostAttempts, recordFailure, recordInterruptions } from "#lib/platform/jobs/attempts";
import { beginAttempt } from "#lib/platform/jobs/begin-attempt";
import { endJob, type JobFailure } from "#lib/platform/jobs/end-job";
import { JobCancelled, StaleAttempt, WorkerStopping } from "#lib/platform/jobs/job-errors";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { isTerminal } from "#lib/platform/jobs/states";
import { logger } from "#lib/platform/log/logger";
import { metrics } from "#lib/platform/metrics/metrics";
import { endDeliveredIfNotRunnable } from "./end-if-not-runnable.ts";
import { lastFailure, logLevelOf, permanentFailure } from "./failures.ts";
import { endedByOutage, recordOutageWithRetries } from "./record-outage.ts";
import { runHandler } from "./run-handler.ts";
import { runInOwnProcess } from "./run-in-own-process.ts";
import type { RunsInProgress } from "./runs-in-progress.ts";

/**
 * Runs one attempt of a job.
 *
 * @param deliveryLost aborted when pg-boss takes the job from this worker, for example after missed heartbeats
 * @throws Any error after which pg-boss must deliver the job again.
 */
export async function runJob(
  db: Database,
  jobId: string,
  deliveryLost: AbortSignal,
  runs: RunsInProgress,
): Promise<void> {
  const stored = await readJob(db, jobId);
  if (stored === null || isTerminal(stored.status)) return;
  const work = (await isSuspect(db, stored)) ? runInOwnProcess : runHandler;
  const job = await beginAttempt(db, jobId);
  if (job === null) return endDeliveredIfNotRunnable(db, jobId);
  if (runs.stopping.aborted) {
    // The worker began to stop after this attempt had been requested, so the stop did not see it.
    await recordInterruptions(db, [job]);
    throw new WorkerStopping();
  }
  try {
    await runAttempt(db, job, work, deliveryLost, runs);
  } catch (error) {
    if (endedByOutage(error, job)) await recordOutageWithRetries(db, job, runs.stopping);
    throw error;
  }
}

async function runAttempt(
  db: Database,
  job: JobRow,
  work: typeof runHandler,
  deliveryLost: AbortSignal,
  runs: RunsInProgress,
): Promise<void> {
  const { signal, done } = runs.register(job, deliveryLost);
  const log = logger().child({
    jobId: job.id,
    type: job.type,
    attempt: job.attempt,
    requestId: job.requestId,
  });
  const stopTimer = metrics().attemptSeconds.startTimer({ type: job.type });
  let outcome = "retried";
  try {
    if (job.cancelRequested) throw new JobCancelled();
    log.info("begins");
    await work(db, job, signal);
    outcome = "completed";
    log.info("completed");
  } catch (thrown) {
    // A stopped handler may throw any error. The reason of the stop decides what follows.
    const error: unknown = signal.aborted ? signal.reason : thrown;
    if (error instanceof StaleAttempt) {
      outcome = "stale";
      return log.warn("the attempt is no longer current");
    }
    if (error instanceof WorkerStopping) throw error;
    if (endedByOutage(error, job)) {
      log.warn({ err: error }, "the database is unavailable; the job will be retried");
      throw error;
    }
    const end = endOf(error, job);
    if (end.outcome === "retried") {
      log.warn({ err: error }, "the attempt failed; the job will be retried");
      done(); // Unregisters first: otherwise a worker that stops now also records an interruption.
      await recordFailure(db, job);
      throw error;
    }
    if (end.outcome === "failed") log[logLevelOf(error)]({ err: error, code: end.failure.code }, "failed");
    const abandon = await abandonOf(job.type);
    await db.transaction((tx) => endJob(tx, job, end.failure, abandon));
    outcome = end.outcome;
  } finally {
    stopTimer({ outcome });
    done();
  }
}

type End =
  | { outcome: "retried" }
  | { outcome: "cancelled"; failure: null }
  | { outcome: "failed"; failure: JobFailure };

/** Returns how an attempt ends that has thrown an error. */
function endOf(error: unknown, job: JobRow): End {
  if (error instanceof JobCancelled) return { outcome: "cancelled", failure: null };
  const failure = permanentFailure(error, job) ?? (isLastAttempt(job) ? lastFailure(error, job) : null);
  return failure === null ? { outcome: "retried" } : { outcome: "failed", failure };
}

/**
 * Returns whether a job may end the process that runs it, so that it must run in its own process. This applies to a
 * job that has lost an attempt, and to further jobs of its project until it has completed, or for an hour after it
 * failed. Otherwise, twenty requests of one project could each end a worker once.
 */
async function isSuspect(db: Database, job: JobRow): Promise<boolean> {
  if (lostAttempts(job) > 0) return true;
  // The latest attempt of a job has no recorded end either, while it runs and after it ended the job.
  const hasLostAttempt = gt(jobs.attempt, sql`${jobs.failures} + ${jobs.interruptions} + 1`);
  const isRecent = or(isNull(jobs.finishedAt), gt(jobs.finishedAt, sql`now() - interval '1 hour'`));
  const ofProject = and(eq(jobs.projectId, job.projectId), gt(jobs.createdAt, sql`now() - interval '1 day'`));
  const [suspect] = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(ofProject, ne(jobs.status, "Completed"), hasLostAttempt, isRecent))
    .limit(1);
  return suspect !== undefined;
}
