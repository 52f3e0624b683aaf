import type { Database } from "#db/client";
import { handlerOf } from "#lib/domain/job-handlers/handler-registry";
import { readJob } from "#lib/domain/jobs/find-job";
import { runAs } from "#lib/platform/concurrency/current-work";
import type { Actor, Context } from "#lib/platform/context/context";
import { type JobRow, jobRun } from "#lib/platform/jobs/job-run";
import { storedPayload } from "#lib/platform/jobs/stored-payload";
import { stopInTime } from "./stop-in-time.ts";

/**
 * Runs the handler of a job in this process, until it has completed the job.
 *
 * @throws errors of the handler; the reason of the signal
 */
export async function runHandler(db: Database, job: JobRow, signal: AbortSignal): Promise<void> {
  const handler = await handlerOf(job.type);
  const run = jobRun({ db, job, ctx: contextOf(db, job), signal });
  const work = { isJob: true, projectId: job.projectId, signal };
  await runAs(work, () => stopInTime(handler.run(run, storedPayload(job)), signal));
  await requireCompletion(db, job);
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
