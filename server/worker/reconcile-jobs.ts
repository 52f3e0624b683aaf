import { inArray, sql } from "drizzle-orm";
import { fromDrizzle, type PgBoss } from "pg-boss";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { bossSchema } from "#lib/platform/jobs/boss-options";
import { catalogue, queueNames } from "#lib/platform/jobs/catalogue";
import { deliverJob } from "#lib/platform/jobs/deliver-job";
import { openStates } from "#lib/platform/jobs/states";
import { logger } from "#lib/platform/log/logger";
import { endIfNotRunnable } from "./end-if-not-runnable.ts";

/**
 * Recovers open jobs whose row in pg-boss is missing or has ended. Those with attempts left are delivered again; the others
 * end as Failed. Also ends waiting jobs as Cancelled if their cancellation was requested.
 *
 * @returns the number of such jobs, at most 100 per call
 */
export async function reconcileJobs(db: Database, boss: PgBoss): Promise<number> {
  const undelivered = await db.select({ id: jobs.id }).from(jobs).where(isUndelivered).limit(100);
  for (const { id } of undelivered) await reconcileJob(db, boss, id);
  return undelivered.length;
}

const isUndelivered = sql`${inArray(jobs.status, [...openStates])} and not exists (
  select from ${sql.identifier(bossSchema)}.job delivery
  where ${inArray(sql`delivery.name`, [...queueNames])} and delivery.id = ${jobs.id}
    and (delivery.state = 'active' or delivery.state in ('created', 'retry') and not ${jobs.cancelRequested}))`;

async function reconcileJob(db: Database, boss: PgBoss, jobId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Another worker may hold the lock of the row, or may have recovered the job already.
    const [job] = await tx
      .select()
      .from(jobs)
      .where(sql`${jobs.id} = ${jobId} and ${isUndelivered}`)
      .for("no key update", { skipLocked: true });
    if (job === undefined) return;
    logger().warn({ jobId, type: job.type, attempt: job.attempt }, "reconciles a job without a delivery");
    if (await endIfNotRunnable(tx, job)) return;
    await boss.deleteJob(catalogue[job.type].queue, jobId, { db: fromDrizzle(tx, sql) });
    await deliverJob(tx, job);
  });
}
