import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { uploads } from "#db/schema/datasets";
import { jobs } from "#db/schema/jobs";
import { scenarioCheckpoints, scenarioRuns } from "#db/schema/scenarios";
import type { JobType } from "#lib/contract/jobs";
import { lockProjectRows } from "#lib/domain/projects/lock-project";
import { requireRole } from "#lib/domain/projects/project-role";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { type Place, standardError } from "#lib/platform/errors/standard-error";
import { newId } from "#lib/platform/ids/new-id";
import { enqueueJob, type JobRequest } from "#lib/platform/jobs/enqueue-job";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { isRetryableState } from "#lib/platform/jobs/states";
import { storedPayload } from "#lib/platform/jobs/stored-payload";
import { findJob } from "./find-job.ts";
import { presentJob } from "./present-job.ts";

/**
 * Prepares the retry of a job in the transaction that enqueues the new job. The returned fields replace those of the old
 * job.
 */
export type PrepareRetry<T extends JobType = JobType> = (
  tx: Transaction,
  ctx: Context,
  job: JobRow,
  newJobId: string,
) => Promise<Partial<Pick<JobRequest<T>, "payload" | "checkpointId">>>;

/**
 * Retries a job that Failed or was Cancelled, as a new job whose `retryOf` is the old one.
 *
 * @param retryOf returns the preparation of a job type; undefined if its jobs are retried unchanged
 * @throws {DomainError} job_not_found, precondition_failed, job_not_retryable, project_not_found, and errors of the preparation
 */
export async function retryJob(
  ctx: Context,
  { jobId }: { jobId: string },
  retryOf: (type: JobType) => Promise<PrepareRetry | undefined>,
): Promise<{ jobId: string; status: "Pending" }> {
  const job = await findJob(ctx, jobId);
  await requireRole(ctx, job.projectId, "analyst");
  await requireIfMatch(ctx, async () => presentJob(job));
  const { type } = job;
  const [prepare] = await Promise.all([retryOf(type), jobSender()]);
  // The job's row needs no lock, because an ended job never changes.
  if (!isRetryableState(job.status)) {
    const message = `Only a Failed or Cancelled job can be retried. This job is ${job.status}.`;
    throw notRetryableError(message, { field: "status", value: job.status });
  }
  return ctx.db.transaction(async (tx) => {
    await lockProjectsOf(tx, job);
    await rejectSecondRetry(tx, job);
    await rejectMissingFiles(tx, job);
    const id = newId();
    const changes = (await prepare?.(tx, ctx, job, id)) ?? {};
    await recordChange(tx, ctx, "job.retried", { projectId: job.projectId, entityId: job.id, label: type });
    const { status } = await enqueueJob(tx, ctx, {
      id,
      type,
      projectId: job.projectId,
      payload: changes.payload ?? storedPayload(job),
      scenarioId: job.scenarioId,
      checkpointId: changes.checkpointId ?? job.checkpointId,
      modelId: job.modelId,
      retryOf: job.id,
    });
    return storeIdempotentResponse(tx, ctx, { jobId: id, status });
  });
}

/**
 * Locks all projects in which the retry may change something. Only a DeleteProject job can be retried after the deletion of
 * its project.
 */
async function lockProjectsOf(tx: Transaction, { id, type, projectId }: JobRow): Promise<void> {
  const pinned = await tx
    .select({ projectId: scenarioCheckpoints.upstreamProjectId })
    .from(scenarioCheckpoints)
    .innerJoin(scenarioRuns, eq(scenarioRuns.id, scenarioCheckpoints.runId))
    .where(eq(scenarioRuns.jobId, id));
  const existing = await lockProjectRows(tx, [projectId, ...pinned.map((one) => one.projectId)]);
  if (!existing.has(projectId) && type !== "DeleteProject") throw standardError("project_not_found");
}

/**
 * Rejects a retry if an earlier one is open or completed, because two jobs would overwrite each other's results. The caller
 * has locked the project.
 */
async function rejectSecondRetry(tx: Transaction, job: JobRow): Promise<void> {
  const [other] = await tx
    .select({ id: jobs.id, status: jobs.status })
    .from(jobs)
    .where(
      and(
        eq(jobs.projectId, job.projectId),
        eq(jobs.retryOf, job.id),
        inArray(jobs.status, ["Pending", "Running", "Completed"]),
      ),
    )
    .limit(1);
  if (other === undefined) return;
  const message = `The job has been retried already: see job ${other.id}, which is ${other.status}.`;
  throw notRetryableError(message, { field: "retryOf", id: other.id });
}

/** Rejects the retry if the job's files, which are kept for a day, are gone. */
async function rejectMissingFiles(tx: Transaction, { projectId, payload }: JobRow): Promise<void> {
  const { uploadId, labelledUploadId } = payload as {
    uploadId?: string | null;
    labelledUploadId?: string | null;
  };
  for (const id of [uploadId, labelledUploadId]) {
    if (id == null) continue;
    const found = await tx
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(eq(uploads.projectId, projectId), eq(uploads.id, id)));
    if (found.length > 0) continue;
    throw notRetryableError("The job's file is no longer stored. Send it again in a new request.", {
      id,
    });
  }
}

function notRetryableError(message: string, place: Place): DomainError {
  return issueError("job_not_retryable", { ...place, code: "job_not_retryable", message });
}
