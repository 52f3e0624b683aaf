import type { Transaction } from "#db/client";
import type { JobStatus, JobType } from "#lib/contract/jobs";
import { publishEvent } from "#lib/platform/realtime/publish-event";

/** Publishes that a job's record has changed. */
export async function publishJobUpdated(
  tx: Transaction,
  job: { id: string; projectId: string; type: JobType },
  status: JobStatus,
): Promise<void> {
  await publishEvent(tx, {
    projectId: job.projectId,
    name: "job-updated",
    entityId: job.id,
    jobId: job.id,
    status,
    label: job.type,
  });
}
