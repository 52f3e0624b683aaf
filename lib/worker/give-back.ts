import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "#db/client";
import { isDatabaseAway, isOutage } from "#lib/platform/errors/outage";
import { mostAttempts, noteOutage } from "#lib/platform/jobs/attempts";
import type { JobRow } from "#lib/platform/jobs/job-run";

const pauseMs = 250;

/** Whether an attempt ended for no reason of the job's: the database was away. */
export const isGivenBack = (error: unknown, { attempt }: Pick<JobRow, "attempt">): boolean =>
  isDatabaseAway(error) && attempt < mostAttempts;

/**
 * Notes that an attempt ended because the database was away, once it answers again. Until then its place stays taken,
 * for nothing else could be done in it.
 *
 * @param stopping ends it
 */
export async function giveBack(db: Database, job: JobRow, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      return await noteOutage(db, job);
    } catch (error) {
      if (!isOutage(error)) throw error;
    }
    await delay(pauseMs, undefined, { signal: stopping }).catch(() => {}); // Woken up to stop.
  }
}
