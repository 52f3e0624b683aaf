import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { mails } from "#db/schema/mails";
import { type JobMail, mailedJobTypes } from "#lib/contract/job-mail";
import { environment } from "#lib/platform/config/environment";
import { type Context, requireIfMatch } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { isTerminal } from "#lib/platform/jobs/states";
import { queueMail } from "#lib/platform/mail/queue-mail";
import { findJob, lockJob } from "./find-job.ts";

const isOwnMail = (userId: string, jobId: string) => and(eq(mails.userId, userId), eq(mails.jobId, jobId));

/** @throws {DomainError} job_not_found */
export async function getJobMail(
  ctx: Pick<Context, "actor"> & { db: Queryable },
  { jobId }: { jobId: string },
): Promise<JobMail> {
  await findJob(ctx, jobId);
  return { whenEnded: (await ctx.db.$count(mails, isOwnMail(ctx.actor.userId, jobId))) > 0 };
}

/**
 * Requests a mail to the caller for the end of a job, or withdraws the request. A job that ends meanwhile is mailed, too: the
 * sender looks for jobs that have ended.
 *
 * @throws {DomainError} `job_not_found`; `precondition_failed`; `validation_failed` without mail, for an ended job, and for a deletion
 */
export async function setJobMail(
  ctx: Context,
  { jobId, whenEnded }: JobMail & { jobId: string },
): Promise<JobMail> {
  const { actor } = ctx;
  const { userId } = actor;
  return ctx.db.transaction(async (tx) => {
    const job = await lockJob(tx, actor, jobId);
    await requireIfMatch(ctx, () => getJobMail({ db: tx, actor }, { jobId }));
    if (whenEnded) {
      if (environment().mail === null) throw mailIssue("mail_off", "The service sends no mail.");
      if (isTerminal(job.status)) throw mailIssue("job_ended", "The job has ended already.");
      if (!mailedJobTypes.includes(job.type)) throw mailIssue("not_mailed", "Deletions are not mailed.");
      await queueMail(tx, { kind: "job-ended", userId, jobId });
    } else {
      await tx.delete(mails).where(isOwnMail(userId, jobId));
    }
    return { whenEnded };
  });
}

const mailIssue = (code: string, message: string) =>
  issueError("validation_failed", { field: "whenEnded", code, message });
