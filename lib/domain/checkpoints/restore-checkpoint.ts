import { buffer } from "node:stream/consumers";
import { readUpload } from "#lib/domain/datasets/read-upload";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { store } from "#lib/platform/storage/store";
import { publishReservedCheckpoints } from "./publish-reserved-checkpoints.ts";
import { readCheckpointFile } from "./read-checkpoint-file.ts";
import { tryCheckpoint } from "./try-checkpoint.ts";

/**
 * Fills a reserved checkpoint from its file. Runs the model in a separate process, stores the artifacts, publishes the
 * checkpoint and completes the job.
 *
 * @throws {ModelInvalid} with the reason
 * @throws {DomainError} upload_not_found
 */
export async function restoreCheckpoint(
  run: JobRun,
  { checkpointId, uploadId }: { checkpointId: string; uploadId: string },
): Promise<void> {
  const { projectId } = run.job;
  await run.report(10, { stage: "Reading the file" });
  const upload = await readUpload(run.ctx.db, { projectId, uploadId });
  const bytes = await buffer(await upload.open());
  const { files } = await readCheckpointFile([bytes], { keep: true });
  await run.report(30, { stage: "Running the model in a separate process" });
  await tryCheckpoint(bytes, { signal: run.signal });
  await run.report(70, { stage: "Storing the model's artifacts" });
  await publishReservedCheckpoints(
    run,
    [checkpointId],
    (tx) => run.complete(tx),
    (_run, _row, artifactKey) => store().writeFolder(artifactKey, files),
  );
}
