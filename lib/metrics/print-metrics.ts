import { count, isNull, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs, outboxEvents } from "#db/schema/jobs";
import { logger } from "#lib/log/logger";
import { metrics } from "./metrics.ts";

/** The figures in Prometheus' text format. With the database away those of this process are still told. */
export async function printMetrics(db: Database): Promise<{ text: string; contentType: string }> {
  const { registry } = metrics();
  try {
    await countJobs(db);
    await countEvents(db);
  } catch (error) {
    logger().warn({ err: error }, "jobs and events cannot be counted");
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}

async function countJobs(db: Database): Promise<void> {
  const { jobs: counted, jobsOldestSeconds } = metrics();
  counted.reset();
  jobsOldestSeconds.reset();
  const rows = await db
    .select({
      type: jobs.type,
      status: jobs.status,
      count: count(),
      oldest: sql<number>`extract(epoch from now() - min(${jobs.createdAt}))`.mapWith(Number),
    })
    .from(jobs)
    .groupBy(jobs.type, jobs.status);
  for (const { type, status, count: number, oldest } of rows) {
    counted.set({ type, status }, number);
    jobsOldestSeconds.inc({ type }, status === "Pending" ? oldest : 0);
  }
}

async function countEvents(db: Database): Promise<void> {
  const { events, eventsOldestSeconds } = metrics();
  const [waiting] = await db
    .select({
      count: count(),
      oldest: sql<number>`coalesce(extract(epoch from now() - min(${outboxEvents.createdAt})), 0)`.mapWith(
        Number,
      ),
    })
    .from(outboxEvents)
    .where(isNull(outboxEvents.publishedAt));
  events.set(waiting!.count);
  eventsOldestSeconds.set(waiting!.oldest);
}
