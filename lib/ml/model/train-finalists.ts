import { counted } from "#lib/contract/counted";
import { InvalidFeatureStep } from "#lib/ml/features/check-pipeline";
import type { FeaturePipeline } from "#lib/ml/features/pipeline";
import { sliceRows } from "#lib/ml/table/rows";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import { fitCandidatePipeline, trainingFeatures } from "./candidate.ts";
import { type EvaluatedModel, evaluateLearner } from "./evaluate-learner.ts";
import { type CandidateContext, FAMILY_NAMES, type Learner } from "./learner.ts";
import type { Tried } from "./search-candidates.ts";
import { trainLearner } from "./train-learner.ts";
import { TrainingImpossible } from "./training-impossible.ts";

export type FitStage = "prepare" | "select" | "train" | "validate" | "write";
type Report = (fraction: number, stage: FitStage, message: string) => void;

/** A model that could be kept: trained on all training rows, measured on the validation rows. */
export type Finalist = {
  tried: Tried;
  pipeline: FeaturePipeline;
  learner: Learner;
  evaluation: EvaluatedModel;
};

/**
 * Trains the best of each family, the one to be kept first, on all training rows.
 * @throws TrainingImpossible where none has a feature that varies.
 */
export async function trainFinalists(
  context: CandidateContext,
  finalists: readonly Tried[],
  onProgress: Report,
): Promise<Finalist[]> {
  const trained: Finalist[] = [];
  for (const [position, tried] of finalists.entries()) {
    const finalist = await trainFinalist(context, tried, (part, stage, message) =>
      onProgress((position + part) / finalists.length, stage, message),
    );
    if (finalist) trained.push(finalist);
  }
  if (trained.length === 0) {
    throw new TrainingImpossible(
      "No input column varies, and neither the calendar nor lags of the target are to be used.",
    );
  }
  return trained;
}

async function trainFinalist(
  context: CandidateContext,
  tried: Tried,
  report: Report,
): Promise<Finalist | null> {
  const { data } = context;
  const name = FAMILY_NAMES[tried.family];
  if (context.shouldStop()) throw new TrainingCancelled();
  const message = `${name}: training on ${counted(data.trainingRows, "row")}`;
  report(0, "train", message);
  const started = performance.now();
  const rows = sliceRows(data.table, 0, data.trainingRows);
  const pipeline = fitCandidatePipeline(context, tried, rows);
  const { names, columns } = trainingFeatures(context, pipeline, rows, 0);
  if (columns.length === 0) return null;
  const learner = trainLearner(context, {
    ...tried,
    names,
    columns,
    target: data.targets.subarray(0, data.trainingRows),
    onProgress: (fraction) => report(0.9 * fraction, "train", message),
  });
  report(
    0.92,
    "validate",
    `${name}: validating on ${counted(data.targets.length - data.trainingRows, "row")}`,
  );
  const evaluation = await evaluateLearner(context, pipeline, learner);
  tried.seconds += (performance.now() - started) / 1000;
  return { tried, pipeline, learner, evaluation };
}

/** A lag that would see the future is the caller's wish, and the reason why training is impossible. */
export async function explainFutureSteps<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof InvalidFeatureStep) throw new TrainingImpossible(cause.message, { cause });
    throw cause;
  }
}
