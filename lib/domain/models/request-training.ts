import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client";
import { projectDependencies } from "#db/schema/projects";
import { classesOf, NUMBER_CLASSES } from "#lib/contract/classes";
import type { TrainModel } from "#lib/contract/train-model";
import { currentDataset, type DatasetRow } from "#lib/domain/datasets/current-dataset";
import type { PrepareRetry } from "#lib/domain/jobs/retry-job";
import { lockProject } from "#lib/domain/projects/lock-project";
import { requireSpace } from "#lib/domain/projects/space";
import { requireHolidayPlace, UnknownPlace } from "#lib/engine/features/holiday-days";
import { nearestName } from "#lib/engine/names/nearest-name";
import { unsuitableSettings } from "#lib/engine/training/task-rules";
import { recordChange } from "#lib/platform/audit/record-change";
import { type Context, storeIdempotentResponse } from "#lib/platform/context/context";
import { type ErrorDetail, issueError, requireNoIssues } from "#lib/platform/errors/domain-error";
import { standardError } from "#lib/platform/errors/standard-error";
import { enqueueJob } from "#lib/platform/jobs/enqueue-job";
import { jobSender } from "#lib/platform/jobs/job-sender";
import { storedPayload } from "#lib/platform/jobs/stored-payload";

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

type Features = TrainModel["features"];

/** @throws {DomainError} validation_failed naming the settings that do not suit the dataset's target */
function checkTask({ target, profile }: DatasetRow, request: TrainModel): void {
  const column = profile.columns.find(({ name }) => name === target);
  if (column === undefined) return;
  // The training itself checks that numbers are 0 and 1.
  const areNumbers = column.type === "number" && request.task === "classification";
  const classes = areNumbers ? NUMBER_CLASSES : classesOf(column);
  const details = unsuitableSettings(request, classes).map((issue) => ({ ...issue, code: "contradiction" }));
  requireNoIssues("validation_failed", details);
}

/** @throws {DomainError} validation_failed naming the country or region without known holidays */
async function checkHolidays(features: Features): Promise<void> {
  if (features?.holidays === undefined) return;
  try {
    await requireHolidayPlace(features.holidays);
  } catch (error) {
    if (!(error instanceof UnknownPlace)) throw error;
    const { part, message } = error;
    throw issueError("validation_failed", {
      field: `features.holidays.${part}`,
      value: features.holidays[part],
      message,
    });
  }
}

/** @throws {DomainError} validation_failed naming the settings for which the dataset lacks columns or timestamps */
async function checkFeatures(
  tx: Transaction,
  dataset: DatasetRow,
  {
    features = {},
    hyperparameters = {},
    expectedEffects = {},
  }: Pick<TrainModel, "features" | "hyperparameters" | "expectedEffects">,
): Promise<void> {
  const details: ErrorDetail[] = [];
  if (features.holidays && dataset.timestampColumns === null) {
    details.push({
      field: "features.holidays",
      message: "Holidays need a timestamp, and the data has none.",
    });
  }
  const named = [
    ...(features.combinations ?? []).flatMap((combination, index) =>
      (["feature", "other"] as const).map((part) => ({
        name: combination[part],
        field: `features.combinations.${index}.${part}`,
      })),
    ),
    ...Object.keys(hyperparameters.monotone ?? {}).map((name) => ({
      name,
      field: "hyperparameters.monotone",
    })),
    ...Object.keys(expectedEffects).map((name) => ({ name, field: "expectedEffects" })),
  ];
  if (named.length > 0) {
    const inputs = await numericInputs(tx, dataset);
    for (const { name, field } of named) {
      if (inputs.includes(name)) continue;
      const nearest = nearestName(name, inputs) ?? undefined;
      const message = `"${name}" is not a numeric input column${nearest ? `; did you mean "${nearest}"?` : "."}`;
      details.push({ field, value: name, nearest, message });
    }
  }
  requireNoIssues("validation_failed", details);
}

/** Returns the numeric input columns that a model may use, and the predictions of upstream projects. */
async function numericInputs(tx: Transaction, dataset: DatasetRow): Promise<string[]> {
  const { target, timestampColumns, exclude } = dataset;
  const others = new Set([target, ...(timestampColumns ?? []), ...exclude]);
  const columns = dataset.profile.columns
    .filter(({ name, type }) => type !== "category" && !others.has(name))
    .map(({ name }) => name);
  const upstream = await tx
    .select({ name: projectDependencies.featureName })
    .from(projectDependencies)
    .where(eq(projectDependencies.projectId, dataset.projectId));
  return [...columns, ...upstream.map(({ name }) => name)];
}
