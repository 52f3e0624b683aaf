import type { ImportCheckpoint } from "#lib/contract/checkpoints";
import { openSource } from "#lib/domain/datasets/file-source";
import { keepFile } from "#lib/domain/datasets/keep-file";
import { markUploadUsed } from "#lib/domain/datasets/mark-upload-used";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { checkImport } from "./check-import.ts";
import { reserveCheckpoints } from "./reserve-checkpoints.ts";

/**
 * Reserves a checkpoint from an exported file. The job runs the model in a separate process, stores the artifacts and
 * makes the checkpoint visible. The project's current model does not change.
 *
 * @throws {DomainError} project_not_found, upload_not_found, payload_too_large, validation_failed if the file differs
 *   from the export, dependency_unknown, checkpoint_limit_reached, duplicate_label, quota_exceeded
 */
export async function importCheckpoint(
  ctx: Context,
  { projectId, fileData, uploadId: given, ...wish }: ImportCheckpoint & { projectId: string },
): Promise<{ message: string; checkpointId: string; jobId: string }> {
  const file = await openSource(ctx.db, { projectId, fileData, uploadId: given });
  const field = given === undefined ? "fileData" : "uploadId";
  const { description: exported, ...imported } = await checkImport(ctx.db, { projectId, file, field });
  const label = wish.label ?? null;
  const description = wish.description ?? exported;
  const setAsDefault = wish.setAsDefault ?? false;
  const sent = given === undefined ? { file, isCsv: false } : null;
  await jobSender();
  return keepFile(ctx, { projectId, sent }, (kept) =>
    ctx.db.transaction(async (tx) => {
      const request = { projectId, imported, label, description, setAsDefault };
      const [reserved] = await reserveCheckpoints(tx, ctx, [request]);
      const { id: checkpointId, label: taken } = reserved!;
      await kept?.record(tx);
      if (given !== undefined) await markUploadUsed(tx, { projectId, uploadId: given });
      const uploadId = kept?.uploadId ?? given!;
      const job = await enqueueJob(tx, ctx, {
        type: "CreateCheckpoint",
        projectId,
        checkpointId,
        payload: { checkpointId, label, description, setAsDefault, uploadId },
      });
      await recordChange(tx, ctx, "checkpoint.imported", { projectId, entityId: checkpointId, label: taken });
      const message = `The file is valid. Creation of checkpoint ${JSON.stringify(taken)} from it was initiated. Its completion is notified over the real-time channel.`;
      return storeIdempotentResponse(tx, ctx, { message, checkpointId, jobId: job.id });
    }),
  );
}
