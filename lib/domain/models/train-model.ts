import { wireFrequency } from "#lib/domain/datasets/present";
import { fitInThread } from "#lib/engine/training/fit-in-thread";
import type { PayloadOf } from "#lib/platform/jobs/catalogue";
import type { JobRun } from "#lib/platform/jobs/job-run";
import { reportingProgress } from "./report-progress.ts";
import { saveModel } from "./save-model.ts";
import { tooGoodWarnings } from "./too-good-warnings.ts";
import { trainingData } from "./training-data.ts";

/** Bounds of the job's phases, in percent of progress. */
const UPSTREAM_UNTIL = 30;
const FITTED_AT = 95;

/**
 * Trains a model on the version of the dataset that was current at the request, and makes it the current model.
 *
 * @throws {DomainError} no_dataset, dependency_has_no_model, input_invalid
 * @throws {TrainingImpossible} with the reason if the data allows no model
 */
export async function trainModel(
  run: JobRun,
  { datasetVersionId, ...request }: PayloadOf<"TrainModel">,
): Promise<void> {
  await run.report(1, { stage: "data", message: "Reading the dataset" });
  const { projectId } = run.job;
  await reportingProgress(run, async ({ signal, report }) => {
    const options = {
      signal,
      onProgress: (fraction: number, message: string) =>
        report(1 + fraction * (UPSTREAM_UNTIL - 1), { stage: "upstream", message }),
    };
    const data = await trainingData(run.ctx.db, projectId, options, datasetVersionId);
    const from = data.input.upstream.length > 0 ? UPSTREAM_UNTIL : 1;
    const fitted = await fitInThread(
      { ...data.input, request },
      {
        signal,
        onProgress: (fraction, stage, message) =>
          report(from + fraction * (FITTED_AT - from), { stage, message }),
      },
    );
    report(FITTED_AT, { stage: "save", message: "Saving the model" });
    await saveModel(run, {
      ...fitted,
      source: "trained",
      format: data.format,
      upstreamCheckpoints: data.upstreamCheckpoints,
      warnings: [
        ...data.warnings,
        ...(fitted.summary.warnings ?? []),
        ...tooGoodWarnings(fitted.summary, data.suspicion),
      ],
      request,
      datasetVersionId: data.datasetVersionId,
      datasetRows: data.input.table.rowCount,
      datasetFrequency: wireFrequency(data.input.frequency ?? null),
    });
  });
}
