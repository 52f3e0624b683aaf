import { count } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { logger } from "#lib/log/logger";
import { metrics } from "./metrics.ts";

/** The figures in Prometheus' text format. With the database away those of this process are still told. */
export async function printMetrics(db: Database): Promise<{ text: string; contentType: string }> {
  const { registry, jobs: gauge } = metrics();
  gauge.reset();
  try {
    const rows = await db
      .select({ type: jobs.type, status: jobs.status, count: count() })
      .from(jobs)
      .groupBy(jobs.type, jobs.status);
    for (const { type, status, count } of rows) gauge.set({ type, status }, count);
  } catch (error) {
    logger().warn({ err: error }, "jobs cannot be counted");
  }
  return { text: await registry.metrics(), contentType: registry.contentType };
}
