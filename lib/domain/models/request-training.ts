import type { TrainModel } from "#lib/contract/train-model";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import type { PrepareRetry } from "#lib/domain/jobs/retry-job";
import { lockProject } from "#lib/domain/projects/lock-project";
import { requireSpace } from "#lib/domain/projects/space";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { storedPayload } from "#lib/platform/jobs/stored-payload";
import { checkFeatures, checkHolidays, checkTask } from "./check-features.ts";

/**
 * Enqueues the training of a model. The job reads the version of the dataset that is current now.
 *
 * @throws {DomainError} project_not_found, no_dataset, quota_exceeded, validation_failed for settings that the data does
 *   not support and for places without known holidays
 */
export async function requestTraining(
  ctx: Context,
  { projectId, request }: { projectId: string; request: TrainModel },
): Promise<{ jobId: string; status: "Pending" }> {
  await jobSender();
  await checkHolidays(request.features);
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    await requireSpace(tx, projectId, 1);
    const dataset = await currentDataset(tx, projectId);
    if (dataset === null) throw standardError("no_dataset");
    checkTask(dataset, request);
    await checkFeatures(tx, dataset, request);
    const payload = { ...request, datasetVersionId: dataset.id };
    const { id, status } = await enqueueJob(tx, ctx, { type: "TrainModel", projectId, payload });
    await recordChange(tx, ctx, "model.training-requested", { projectId, entityType: "job", entityId: id });
    return storeIdempotentResponse(tx, ctx, { jobId: id, status });
  });
}

/** Retries a training on the dataset that is current now, because its rows may have been the reason of the failure. */
export const retryTraining: PrepareRetry<"TrainModel"> = async (tx, _ctx, job) => {
  const dataset = await currentDataset(tx, job.projectId);
  if (dataset === null) throw standardError("no_dataset");
  const payload = storedPayload({ type: "TrainModel", payload: job.payload });
  return { payload: { ...payload, datasetVersionId: dataset.id } };
};
