import {
  and,
  asc,
  eq,
  exists,
  isNotNull,
  isNull,
  lt,
  lte,
  notExists,
  notInArray,
  or,
  sql,
} from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { type MailKind, mails } from "#db/schema/mails";

export type MailRow = typeof mails.$inferSelect;

/** Longer than an attempt. The mail of a worker that dies waits for this time. */
const leaseSeconds = 60;

/** Records a mail in the caller's transaction. A worker sends it after the commit, and after the end of the job. */
export async function queueMail(
  db: Queryable,
  mail: { kind: MailKind; userId: string; jobId?: string },
): Promise<void> {
  await db.insert(mails).values(mail).onConflictDoNothing();
}

/**
 * Takes the first due mail and counts the attempt. Until `dueAt`, no other process sends it.
 *
 * @param busy users to whom a mail is being sent. One at a time, so that a mailbox that hangs delays only its user's mails
 */
export async function takeMail(db: Database, busy: readonly string[]): Promise<MailRow | null> {
  const ended = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, mails.jobId), isNotNull(jobs.finishedAt)));
  const next = db
    .select({ id: mails.id })
    .from(mails)
    .where(
      and(
        lte(mails.dueAt, sql`now()`),
        or(isNull(mails.jobId), exists(ended)),
        notInArray(mails.userId, [...busy]),
      ),
    )
    .orderBy(asc(mails.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const [taken] = await db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      dueAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
    })
    .where(eq(mails.id, sql`(${next})`))
    .returning();
  return taken ?? null;
}

/** Condition on the row of an attempt, unless another process has taken the mail after its lease. */
const isAttempt = ({ id, attempts }: MailRow) => and(eq(mails.id, id), eq(mails.attempts, attempts));

/** Ends a mail that was sent, or that will not be sent. */
export async function endMail(db: Database, mail: MailRow): Promise<void> {
  await db.delete(mails).where(isAttempt(mail));
}

/** Makes a mail due again after a pause. */
export async function retryMail(db: Database, mail: MailRow, seconds: number): Promise<void> {
  await db
    .update(mails)
    .set({ dueAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(isAttempt(mail));
}

/** Deletes mails that no worker has sent for two days, for example since mail was switched off. */
export async function forgetMails(db: Database): Promise<void> {
  const old = sql`now() - interval '2 days'`;
  const open = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.id, mails.jobId), or(isNull(jobs.finishedAt), sql`${jobs.finishedAt} > ${old}`)));
  await db.delete(mails).where(and(lt(mails.dueAt, old), notExists(open)));
}
