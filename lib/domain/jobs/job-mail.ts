import { and, eq } from "drizzle-orm";
import { mails } from "#db/schema/mails";
import { type JobMail, mailedJobTypes } from "#lib/contract/job-mail";
import { environment } from "#lib/platform/config/environment";
import type { Context } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { isTerminal } from "#lib/platform/jobs/states";
import { queueMail } from "#lib/platform/mail/queue-mail";
import { findJob } from "./find-job.ts";

type OwnContext = Pick<Context, "db" | "actor">;

const isOwnMail = (userId: string, jobId: string) => and(eq(mails.userId, userId), eq(mails.jobId, jobId));

/** @throws {DomainError} job_not_found */
export async function getJobMail(ctx: OwnContext, { jobId }: { jobId: string }): Promise<JobMail> {
  await findJob(ctx, jobId);
  return { whenEnded: (await ctx.db.$count(mails, isOwnMail(ctx.actor.userId, jobId))) > 0 };
}

/**
 * Requests a mail to the caller for the end of a job, or withdraws the request. A job that ends meanwhile is mailed, too: the
 * sender looks for jobs that have ended.
 *
 * @throws {DomainError} `job_not_found`; `validation_failed` without mail, for an ended job, and for a deletion
 */
export async function setJobMail(
  ctx: OwnContext,
  { jobId, whenEnded }: JobMail & { jobId: string },
): Promise<JobMail> {
  const { userId } = ctx.actor;
  const job = await findJob(ctx, jobId);
  if (whenEnded) {
    if (environment().mail === null) throw mailIssue("mail_off", "The service sends no mail.");
    if (isTerminal(job.status)) throw mailIssue("job_ended", "The job has ended already.");
    if (!mailedJobTypes.includes(job.type)) throw mailIssue("not_mailed", "Deletions are not mailed.");
    await queueMail(ctx.db, { kind: "job-ended", userId, jobId });
  } else {
    await ctx.db.delete(mails).where(isOwnMail(userId, jobId));
  }
  return { whenEnded };
}

const mailIssue = (code: string, message: string) =>
  issueError("validation_failed", { field: "whenEnded", code, message });
