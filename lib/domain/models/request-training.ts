import type { Context } from "#lib/context/context";
import { keepAnswer } from "#lib/context/keep-answer";
import type { TrainModel } from "#lib/contract/train-model";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { recordAudit } from "#lib/platform/audit/record-audit";
import { standardError } from "#lib/platform/errors/standard-error";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { holdProject } from "#lib/projects/hold-project";
import { checkFeatures, checkHolidays } from "./check-features.ts";

/**
 * Has the worker train a model on the dataset that the project has by then.
 *
 * @throws {DomainError} project_not_found, no_dataset, validation_failed for features that the data does not allow
 */
export async function requestTraining(
  ctx: Context,
  { projectId, request }: { projectId: string; request: TrainModel },
): Promise<{ jobId: string; status: "Pending" }> {
  await jobSender();
  await checkHolidays(request.features);
  return ctx.db.transaction(async (tx) => {
    await holdProject(tx, projectId);
    const dataset = await currentDataset(tx, projectId);
    if (dataset === null) throw standardError("no_dataset");
    await checkFeatures(tx, dataset, request);
    const { id, status } = await enqueueJob(tx, ctx, { type: "TrainModel", projectId, payload: request });
    await recordAudit(tx, ctx, {
      projectId,
      action: "model.training-requested",
      entityType: "job",
      entityId: id,
    });
    return keepAnswer(tx, ctx, { jobId: id, status });
  });
}
