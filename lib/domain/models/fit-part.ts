import { availableParallelism } from "node:os";
import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { jobs } from "#db/schema/jobs";
import { fitPart, PARTS_VERSION } from "#lib/engine/training/panel-parts";
import { discardArtifacts } from "#lib/platform/artifacts/discard-artifacts";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { runAs } from "#lib/platform/concurrency/current-work";
import { Slots } from "#lib/platform/concurrency/slots";
import { type Part, type PartOutput, partKey } from "#lib/platform/jobs/parts";
import { logger } from "#lib/platform/log/logger";
import { perProcess } from "#lib/platform/process/per-process";
import { store } from "#lib/platform/storage/store";
import { taskRunner } from "#lib/platform/threads/run-task";
import { PART_FILE } from "./panel-parts.ts";

/** Parts that a worker fits at a time. One project has at most one less: as many as there are cores. */
export const partsAtOnce = () => availableParallelism() + 1;

export const tasks = {
  fit: async ({ input, fit }: { input: Uint8Array; fit: number }) => fitPart(input, fit),
};

const inThread = taskRunner(tasks, {
  module: "./fit-part.ts",
  beside: import.meta.url,
  heapMb: 512,
  // The thread takes the next part, because loading the engine takes as long as a part.
  idleMs: 5_000,
  slots: perProcess("partSlots", () => new Slots({ atOnce: partsAtOnce(), waiting: 100, waitMs: 600_000 })),
});

/**
 * Fits a part of a training and stores the fit, unless the training has ended or is being cancelled.
 *
 * @param delivery ID of the part in pg-boss and number of its retries: each delivery writes into its own folder
 */
export async function fitDeliveredPart(
  db: Database,
  part: Part,
  delivery: { id: string; retryCount: number; signal: AbortSignal },
): Promise<PartOutput> {
  const { jobId, projectId, inputKey, fit, version } = part;
  const isWanted = async () => {
    const [job] = await db
      .select({ status: jobs.status, isCancelled: jobs.cancelRequested })
      .from(jobs)
      .where(eq(jobs.id, jobId));
    return job?.status === "Running" && !job.isCancelled;
  };
  if (version !== PARTS_VERSION || !(await isWanted())) return null;
  const key = partKey({ id: jobId, projectId }, `${delivery.id}-${delivery.retryCount}`);
  const log = logger().child({ jobId, partId: delivery.id });
  try {
    await writeArtifacts(db, [key], async () => {
      const input = await store().readFile(inputKey, PART_FILE);
      const work = { isJob: true, projectId, signal: delivery.signal };
      // Small parts run in a thread, too, because they would block the worker's main loop.
      const size = { bytes: Number.POSITIVE_INFINITY, signal: delivery.signal };
      const file = await runAs(work, () => inThread("fit", { input, fit }, size));
      await store().writeFolder(key, new Map([[PART_FILE, file]]));
    });
  } catch (err) {
    if (!(await isWanted())) return null; // The end of the job has deleted the input.
    log.warn({ err }, "a part failed");
    throw err;
  }
  if (await isWanted()) {
    log.debug("a part is fitted");
    return { key };
  }
  await discardArtifacts(db, [key]); // The end of the job may have come before the file.
  return null;
}
