import type { TrainModel } from "#lib/contract/train-model";
import { wireFrequency } from "#lib/domain/datasets/present";
import { fitInThread } from "#lib/engine/training/fit-in-thread";
import { faultPoint } from "#lib/platform/jobs/fault-point";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { reportingProgress } from "./report-progress.ts";
import { saveModel } from "./save-model.ts";
import { tooGoodWarnings } from "./too-good-warnings.ts";
import { trainingData } from "./training-data.ts";

/** Bounds of the job's phases, in percent of progress. */
const UPSTREAM_UNTIL = 30;
const FITTED_AT = 95;

/**
 * Trains a model on the project's current dataset and makes it the current model.
 *
 * @throws {DomainError} no_dataset, dependency_has_no_model, input_invalid
 * @throws {TrainingImpossible} with the reason if the data allows no model
 */
export async function trainModel(run: JobRun, request: TrainModel): Promise<void> {
  await run.report(1, { stage: "data", message: "Reading the dataset" });
  const { projectId } = run.job;
  await reportingProgress(run, async ({ signal, report }) => {
    const data = await trainingData(run.ctx.db, projectId, {
      signal,
      onProgress: (fraction, message) =>
        report(1 + fraction * (UPSTREAM_UNTIL - 1), { stage: "upstream", message }),
    });
    faultPoint(run.job, "data read");
    const from = data.input.upstream.length > 0 ? UPSTREAM_UNTIL : 1;
    const fitted = await fitInThread(
      { ...data.input, request },
      {
        signal,
        onProgress: (fraction, stage, message) =>
          report(from + fraction * (FITTED_AT - from), { stage, message }),
      },
    );
    faultPoint(run.job, "trained");
    report(FITTED_AT, { stage: "save", message: "Saving the model" });
    await saveModel(run, {
      ...fitted,
      source: "trained",
      format: data.format,
      upstreamCheckpoints: data.upstreamCheckpoints,
      warnings: [...data.warnings, ...tooGoodWarnings(fitted.summary, data.suspicion)],
      request,
      datasetRows: data.input.table.rowCount,
      datasetFrequency: wireFrequency(data.input.frequency ?? null),
    });
  });
}
