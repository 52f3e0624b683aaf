import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { jobs } from "#db/schema/jobs";
import type { OutputOption } from "#lib/contract/import-model";
import type { JobRow } from "./job-run.ts";
import { publishJobUpdated } from "./publish-job-updated.ts";

/** Failure as shown to the user, with the outputs of an imported model to choose from. */
export type JobFailure = { code: string; message: string; outputOptions?: OutputOption[] | undefined };

/** Cleans up after a failed or cancelled job, in the same transaction. */
export type Abandon = (tx: Transaction, job: JobRow) => Promise<void>;

/**
 * Makes a job Failed (with a failure) or Cancelled. Does nothing if its state or attempt has changed since it was read.
 */
export async function endJob(
  tx: Transaction,
  job: JobRow,
  failure: JobFailure | null,
  abandon: Abandon | undefined,
): Promise<void> {
  const status = failure === null ? "Cancelled" : "Failed";
  const [ended] = await tx
    .update(jobs)
    .set({
      status,
      errorCode: failure?.code ?? null,
      errorMessage: failure?.message ?? null,
      outputOptions: failure?.outputOptions ?? null,
      finishedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(jobs.id, job.id), eq(jobs.attempt, job.attempt), eq(jobs.status, job.status)))
    .returning();
  if (ended === undefined) return;
  await abandon?.(tx, ended);
  await publishJobUpdated(tx, job, status);
}
