import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client";
import { isDatabaseAway, isOutage } from "#lib/platform/errors/outage";
import { outagesCountFromAttempt, recordOutage } from "#lib/platform/jobs/attempts";
import type { JobRow } from "#lib/platform/jobs/job-run";
import { ReportedError } from "./failures.ts";

const pauseMs = 250;

/**
 * Returns whether an outage of the database ended an attempt. From attempt `outagesCountFromAttempt` on, an outage counts as
 * a failure of the job.
 */
export const endedByOutage = (error: unknown, { attempt }: Pick<JobRow, "attempt">): boolean =>
  (error instanceof ReportedError ? error.report.isDatabaseAway : isDatabaseAway(error)) &&
  attempt < outagesCountFromAttempt;

/**
 * Records that an attempt ended because of an outage of the database, as soon as the database answers again. Until then
 * the attempt keeps its place in the worker. No other job could run there anyway.
 *
 * @param stopping aborts the wait when the worker stops
 */
export async function recordOutageWithRetries(
  db: Database,
  job: JobRow,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await recordOutage(db, job);
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => {}); // The stop aborts the wait.
  }
}
