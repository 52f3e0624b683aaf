import type { TrainModel } from "#lib/contract/train-model";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { lockProject } from "#lib/domain/projects/lock-project";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { checkFeatures, checkHolidays, checkTask } from "./check-features.ts";

/**
 * Enqueues the training of a model. The job uses the dataset that is current when it starts.
 *
 * @throws {DomainError} project_not_found, no_dataset, validation_failed for settings that the data does not support and for
 *   places without known holidays
 */
export async function requestTraining(
  ctx: Context,
  { projectId, request }: { projectId: string; request: TrainModel },
): Promise<{ jobId: string; status: "Pending" }> {
  await jobSender();
  await checkHolidays(request.features);
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, projectId);
    const dataset = await currentDataset(tx, projectId);
    if (dataset === null) throw standardError("no_dataset");
    checkTask(dataset, request);
    await checkFeatures(tx, dataset, request);
    const { id, status } = await enqueueJob(tx, ctx, { type: "TrainModel", projectId, payload: request });
    await recordAudit(tx, ctx, "model.training-requested", { projectId, entityType: "job", entityId: id });
    return storeIdempotentResponse(tx, ctx, { jobId: id, status });
  });
}
