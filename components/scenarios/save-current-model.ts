import { api } from "#components/api/client.ts";
import { isActive } from "#components/jobs/job-text.ts";
import type { Checkpoint } from "#lib/contract/checkpoints";

/** Time between two reads of the job's status. Saving a model takes a second or two. */
const POLL_MS = 500;

/**
 * Saves the current model as a checkpoint, and waits until scenarios can use it.
 *
 * @throws if the job fails
 */
export async function saveCurrentModel(projectId: string): Promise<Checkpoint> {
  const path = `/projects/${projectId}/checkpoints` as const;
  const { checkpointId, jobId } = await api.post(path, {});
  for (;;) {
    const job = await api.get(`/jobs/${jobId}`);
    if (job.status === "Completed") return api.get(`${path}/${checkpointId}`);
    if (!isActive(job)) throw new Error(`The current model was not saved: ${job.message ?? job.status}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
