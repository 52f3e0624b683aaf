import type { Database } from "#db/client";
import { handlerOf } from "#lib/domain/job-handlers/handler-registry";
import { readJob } from "#lib/domain/jobs/find-job";
import type { Actor, Context } from "#lib/platform/context/context";
import {
  countedAttempts,
  maxAttempts,
  recordFailure,
  recordInterruptions,
} from "#lib/platform/jobs/attempts";
import { beginAttempt } from "#lib/platform/jobs/begin-attempt";
import { endJob, type JobFailure } from "#lib/platform/jobs/end-job";
import { faultPoint } from "#lib/platform/jobs/fault-point";
import { JobCancelled, StaleAttempt, WorkerStopping } from "#lib/platform/jobs/job-errors";
import { type JobRow, jobRun } from "#lib/platform/jobs/job-run";
import { isTerminal } from "#lib/platform/jobs/states";
import { storedPayload } from "#lib/platform/jobs/stored-payload";
import { logger } from "#lib/platform/log/logger";
import { metrics } from "#lib/platform/metrics/metrics";
import { endDeliveredIfNotRunnable } from "./end-if-not-runnable.ts";
import { lastFailure, logLevelOf, permanentFailure } from "./failures.ts";
import { endedByOutage, recordOutageWithRetries } from "./record-outage.ts";
import type { RunsInProgress } from "./runs-in-progress.ts";
import { stopInTime } from "./stop-in-time.ts";

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
  const found = await readJob(db, jobId);
  if (found === null || isTerminal(found.status)) return;
  const acquired = runs.acquireSlotForSuspect(found, deliveryLost);
  const isCancelled = await acquired.then(
    () => false,
    (error) => error instanceof JobCancelled,
  );
  if (isCancelled) return endDeliveredIfNotRunnable(db, jobId);
  using _slot = await acquired;
  faultPoint({ type: found.type, attempt: found.attempt + 1 }, "delivered");
  const handler = await handlerOf(found.type);
  const job = await beginAttempt(db, jobId);
  if (job === null) return endDeliveredIfNotRunnable(db, jobId);
  if (runs.stopping.aborted) {
    // The worker began to stop after this attempt had been requested, so the stop did not see it.
    await recordInterruptions(db, [job]);
    throw new WorkerStopping();
  }
  try {
    await runAttempt(db, { job, handler }, deliveryLost, runs);
  } catch (error) {
    if (endedByOutage(error, job)) await recordOutageWithRetries(db, job, runs.stopping);
    throw error;
  }
}

async function runAttempt(
  db: Database,
  { job, handler }: { job: JobRow; handler: Awaited<ReturnType<typeof handlerOf>> },
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
    faultPoint(job, "begun");
    const run = jobRun({ db, job, ctx: contextOf(db, job), signal });
    await stopInTime(handler.run(run, storedPayload(job)), signal);
    await requireCompletion(db, job);
    outcome = "completed";
    log.info("completed");
    faultPoint(job, "completed");
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
    await db.transaction((tx) => endJob(tx, job, end.failure, handler.abandon));
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
  const isLast = countedAttempts(job) >= maxAttempts;
  const failure = permanentFailure(error, job) ?? (isLast ? lastFailure(error, job) : null);
  return failure === null ? { outcome: "retried" } : { outcome: "failed", failure };
}

async function requireCompletion(db: Database, job: JobRow): Promise<void> {
  const now = await readJob(db, job.id);
  if (now?.status === "Running" && now.attempt === job.attempt) {
    throw new Error(`The handler of ${job.type} returned without completing the job`);
  }
}

/** Returns the context of the job, which acts for the caller who enqueued it. */
function contextOf(db: Database, job: JobRow): Context {
  const { createdBy: userId, apiKeyId, projectId } = job;
  const actor: Actor =
    apiKeyId === null
      ? { kind: "session", userId, role: "analyst" }
      : { kind: "api-key", userId, apiKeyId, projectId };
  return { db, actor, requestId: job.requestId ?? job.id };
}
