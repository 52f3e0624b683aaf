import type { ImportModel } from "#lib/contract/import-model";
import { limits } from "#lib/contract/limits";
import { csvError } from "#lib/domain/datasets/csv-error";
import { runDatasetTask } from "#lib/domain/datasets/dataset-tasks";
import { openFileData, type SourceFile } from "#lib/domain/datasets/file-source";
import { keepFile } from "#lib/domain/datasets/keep-file";
import { markUploadUsed } from "#lib/domain/datasets/mark-upload-used";
import { readUpload } from "#lib/domain/datasets/read-upload";
import { lockProject } from "#lib/domain/projects/lock-project";
import { requireSpace } from "#lib/domain/projects/space";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { issueError } from "#lib/platform/errors/domain-error";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";

/**
 * Enqueues the import of a model, which becomes the project's current model. Problems that are visible without running
 * the model are rejected here.
 *
 * @throws {DomainError} validation_failed for invalid base64, input_invalid for the labelled rows, payload_too_large,
 *   upload_not_found, project_not_found, quota_exceeded
 */
export async function requestImport(
  ctx: Context,
  { projectId, request }: { projectId: string; request: ImportModel },
): Promise<{ jobId: string; status: "Pending" }> {
  const { fileData, uploadId, labelledRows, ...fields } = request;
  const labelled = labelledRows === undefined ? null : openFileData(labelledRows, "labelledRows");
  if (labelled !== null) await checkLabelled(labelled, fields.target);
  if (uploadId !== undefined) await checkSize(ctx, projectId, uploadId);
  await jobSender();
  const model = uploadId === undefined ? { file: openFileData(fileData!), isCsv: false } : null;
  const rows = labelled === null ? null : { file: labelled, isCsv: true };
  return keepFile(ctx, { projectId, sent: model }, (keptModel) =>
    keepFile(ctx, { projectId, sent: rows }, (keptRows) =>
      ctx.db.transaction(async (tx) => {
        await lockProject(tx, projectId);
        await keptModel?.record(tx);
        await keptRows?.record(tx);
        if (uploadId !== undefined) await markUploadUsed(tx, { projectId, uploadId });
        await requireSpace(tx, projectId, 1);
        const { id, status } = await enqueueJob(tx, ctx, {
          type: "ImportModel",
          projectId,
          payload: {
            ...fields,
            uploadId: keptModel?.uploadId ?? uploadId!,
            labelledUploadId: keptRows?.uploadId ?? null,
          },
        });
        await recordChange(tx, ctx, "model.import-requested", {
          projectId,
          entityType: "job",
          entityId: id,
          label: fields.modelName,
        });
        return storeIdempotentResponse(tx, ctx, { jobId: id, status });
      }),
    ),
  );
}

async function checkLabelled(source: SourceFile, target: string): Promise<void> {
  const columns = [{ name: target, type: "number", missingAllowed: false }] as const;
  const file = await runDatasetTask("check", { columns }, source);
  if (file.issueCount > 0) throw csvError(file);
  if (!file.header.includes(target)) {
    const message = `The labelled rows have no column "${target}", which the model predicts.`;
    throw issueError("input_invalid", {
      field: "labelledRows",
      column: target,
      code: "missing_column",
      message,
    });
  }
}

async function checkSize(ctx: Context, projectId: string, uploadId: string): Promise<void> {
  const { bytes } = await readUpload(ctx.db, { projectId, uploadId });
  if (bytes <= limits.modelFileBytes) return;
  const message = `The upload has ${bytes} bytes. A model file has at most ${limits.modelFileBytes} bytes.`;
  throw issueError("payload_too_large", {
    field: "uploadId",
    id: uploadId,
    code: "payload_too_large",
    message,
  });
}
