import { eq, sql } from "drizzle-orm";
import { fromDrizzle } from "pg-boss";
import { jobs } from "#db/schema/jobs";
import type { JobType } from "#lib/contract/jobs";
import { requireRole } from "#lib/domain/projects/project-role";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { catalogue } from "#lib/platform/jobs/catalogue";
import { type Abandon, endJob } from "#lib/platform/jobs/end-job";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { isTerminal } from "#lib/platform/jobs/states";
import { findJob, lockJob } from "./find-job.ts";
import { presentJob } from "./present-job.ts";

/**
 * Cancels a job. A waiting job, including one that waits for its next attempt, ends at once. A running job ends when
 * its handler checks (well under a second), or without the handler if it does not check. A repeated call during the run
 * only adds an entry to the audit log.
 *
 * @param abandonOf returns the cleanup of a job type
 * @throws {DomainError} job_not_found, precondition_failed, job_not_cancellable
 */
export async function cancelJob(
  ctx: Context,
  { jobId }: { jobId: string },
  abandonOf: (type: JobType) => Promise<Abandon | undefined>,
): Promise<JobRow> {
  const { type, projectId } = await findJob(ctx, jobId);
  await requireRole(ctx, projectId, "analyst");
  const [boss, abandon] = await Promise.all([jobSender(), abandonOf(type)]);
  return ctx.db.transaction(async (tx) => {
    const job = await lockJob(tx, ctx.actor, jobId);
    await requireIfMatch(ctx, async () => presentJob(job));
    if (isTerminal(job.status)) {
      throw notCancellableError(
        `The job has already ended: its status is ${job.status}.`,
        "status",
        job.status,
      );
    }
    if (!catalogue[type].cancellable) {
      throw notCancellableError(
        "A deletion cannot be cancelled, because the deleted object is already hidden.",
        "type",
        type,
      );
    }
    const via = { db: fromDrizzle(tx, sql) };
    const { queue } = catalogue[type];
    const [delivery] = await boss.findJobs(queue, { id: jobId, ...via });
    if (job.status === "Pending" || delivery?.state !== "active") {
      await endJob(tx, job, null, abandon);
      await boss.cancel(queue, jobId, via);
    } else {
      await tx.update(jobs).set({ cancelRequested: true }).where(eq(jobs.id, jobId));
    }
    await recordChange(tx, ctx, "job.cancelled", { projectId: job.projectId, entityId: jobId, label: type });
    return lockJob(tx, ctx.actor, jobId);
  });
}

function notCancellableError(message: string, field: "status" | "type", value: string): DomainError {
  return issueError("job_not_cancellable", { field, value, code: "job_not_cancellable", message });
}
