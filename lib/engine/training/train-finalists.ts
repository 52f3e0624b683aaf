import { counted } from "#lib/contract/counted";
import { InvalidFeatureStep } from "#lib/engine/features/check-pipeline";
import { predictRows } from "#lib/engine/forecasting/predict-rows";
import type { Metrics } from "#lib/engine/inference/model-files";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { sliceRows } from "#lib/engine/table/rows";
import { type CandidateContext, FAMILY_NAMES, type Hyperparameters } from "#lib/ml/model/learner";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import type { OutOfSample } from "./back-test.ts";
import { type Fitted, fitCandidate } from "./fit-candidate.ts";
import { predictFold, runFitted } from "./predict-fold.ts";
import type { Tried } from "./search-candidates.ts";
import { boostingSettings } from "./train-learner.ts";

export type FitStage = "prepare" | "select" | "train" | "validate" | "refit" | "calibrate" | "write";
type Report = (fraction: number, stage: FitStage, message: string) => void;

/** A candidate fitted on the training rows, and what it predicts of the validation rows. */
export type Finalist = {
  tried: Tried;
  fitted: Fitted;
  train: Metrics;
  validation: Metrics;
  /** The validation rows, each predicted from a forecast origin of its own horizon. */
  validated: OutOfSample;
};

/**
 * Fits the best of each family, the one to be kept first, on the training rows, and measures it on the validation rows.
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
  const { trainingRows, targets } = context.data;
  const name = FAMILY_NAMES[tried.family];
  if (context.shouldStop()) throw new TrainingCancelled();
  const message = `${name}: training on ${counted(trainingRows, "row")}`;
  report(0, "train", message);
  const started = performance.now();
  const fitted = fitCandidate(context, tried, [{ from: 0, to: trainingRows }], {
    onProgress: (fraction) => report(0.9 * fraction, "train", message),
  });
  if (fitted === null) return null;
  report(0.92, "validate", `${name}: validating on ${counted(targets.length - trainingRows, "row")}`);
  const finalist = { tried, fitted, ...(await measure(context, fitted)) };
  tried.seconds += (performance.now() - started) / 1000;
  return finalist;
}

async function measure(context: CandidateContext, fitted: Fitted) {
  const { data, known, horizon } = context;
  const { targets, trainingRows: cut } = data;
  const { predictions, steps } = await predictFold(context, fitted, { from: cut, to: targets.length });
  const model = { pipeline: fitted.pipeline, horizon: horizon ?? 1, run: runFitted(fitted) };
  const learned = await predictRows(model, sliceRows(data.table, 0, cut), known);
  const actual = targets.subarray(cut);
  return {
    train: regressionMetrics(targets.subarray(0, cut), learned.predictions),
    validation: regressionMetrics(actual, predictions),
    validated: { from: cut, actual, predicted: predictions, steps },
  };
}

/** Fits the candidate that is kept once more, with the settings that were found, on all rows. */
export function refit(
  context: CandidateContext,
  { tried, fitted }: Finalist,
  onProgress: (fraction: number) => void,
): Fitted {
  const { targets, trainingRows } = context.data;
  const hyperparameters = settingsFound(tried.hyperparameters, fitted, targets.length / trainingRows);
  const all = [{ from: 0, to: targets.length }];
  return fitCandidate(context, { ...tried, hyperparameters }, all, { onProgress })!;
}

/** More rows carry more trees, in proportion. */
function settingsFound(given: Hyperparameters, { learner }: Fitted, growth: number): Hyperparameters {
  if (learner.kind === "linear") {
    const { alpha, l1Ratio } = learner;
    return { ...given, ...(alpha !== undefined && { alpha }), ...(l1Ratio !== undefined && { l1Ratio }) };
  }
  if (given.earlyStopping === false) return given;
  const { rounds: most } = boostingSettings(given);
  const rounds = Math.max(1, Math.min(most, Math.round(learner.trees.length * growth)));
  return { ...given, rounds, earlyStopping: false };
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
