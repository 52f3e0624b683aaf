import type { Warning } from "#lib/contract/warnings";
import { wireFrequency } from "#lib/domain/datasets/present";
import { tooGood } from "#lib/engine/leakage/too-good";
import { fitInThread } from "#lib/engine/training/fit-in-thread";
import type { ModelSummary } from "#lib/engine/training/model-summary";
import type { PayloadOf } from "#lib/platform/jobs/catalogue";
import type { JobRun, ProgressNote } from "#lib/platform/jobs/job-run";
import { partsOfTraining } from "./panel-parts.ts";
import { saveModel } from "./save-model.ts";
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
    const { rowCount } = data.input.table;
    const fitted = await fitInThread(
      { ...data.input, request },
      {
        signal,
        isSpent: true,
        fitParts: partsOfTraining(run, signal),
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
      datasetRows: rowCount,
      datasetFrequency: wireFrequency(data.input.frequency ?? null),
    });
  });
}

/** Codes of a dataset's warnings that explain why a model is too good. */
const reasons = new Set(["equals_target", "explains_target"]);

/**
 * Warns if a model is too good for its naive forecast, and repeats the dataset's warnings that explain it. Columns that
 * the user confirmed are not suspected.
 */
function tooGoodWarnings(
  summary: ModelSummary,
  { warnings, confirmed }: { warnings: readonly Warning[]; confirmed: readonly string[] },
): Warning[] {
  const suspicion = tooGood(summary);
  if (suspicion === null) return [];
  const columns = suspicion.columns.filter((name) => !confirmed.includes(name));
  if (columns.length === 0) return [];
  const [column = null, ...more] = columns;
  const names = columns.map((name) => `"${name}"`).join(", ");
  const message = `The model is too good to be true: it has less than a thousandth of the squared error of the ${summary.classification ? "base rate" : "naive forecast"}. Check whether ${names} ${more.length === 0 ? "gives" : "give"} the target away.`;
  return [
    {
      code: "too_good",
      column: more.length === 0 ? column : null,
      message,
      columns,
      evidence: { r2: suspicion.r2 },
    },
    ...warnings.filter(({ code }) => reasons.has(code)),
  ];
}

type ProgressReporter = {
  /** Aborted with the job, or when a progress report finds that the job must stop. */
  signal: AbortSignal;
  /** Reports progress without waiting for the write. */
  report(percent: number, note: ProgressNote): void;
};

/**
 * Runs work that reports progress synchronously, as a computation in a thread does. If a report throws (the job was
 * cancelled, or another attempt has started), `signal` aborts the work.
 *
 * @throws the error of that report, else the error of the work
 */
async function reportingProgress(
  run: JobRun,
  work: (reporter: ProgressReporter) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  let pending: Promise<void> = Promise.resolve();
  let stopped: { reason: unknown } | null = null;
  const report = (percent: number, note: ProgressNote) => {
    pending = pending.then(async () => {
      if (stopped) return;
      try {
        await run.report(percent, note);
      } catch (reason) {
        stopped = { reason };
        stop.abort(reason);
      }
    });
  };
  try {
    await work({ signal, report });
  } catch (error) {
    await pending;
    throw stopReason() ?? error;
  }
  await pending;

  function stopReason(): unknown {
    return stopped?.reason;
  }
}
