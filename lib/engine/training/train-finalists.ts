import { algorithms } from "#lib/contract/algorithms";
import { counted } from "#lib/contract/counted";
import type { Hyperparameters } from "#lib/contract/hyperparameters";
import { InvalidFeatureStep } from "#lib/engine/features/check-pipeline";
import { rowIndexes } from "#lib/engine/forecasting/naive-forecast";
import { FAMILY_METHODS, modelNameOf, type SingleLearner } from "#lib/engine/inference/learner";
import type { Metrics } from "#lib/engine/inference/model-files";
import type { OutOfSample } from "#lib/engine/inference/out-of-sample-file";
import { classMetrics } from "#lib/engine/learners/class-metrics";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { TrainingCancelled, TrainingImpossible } from "#lib/engine/learners/training-errors";
import { methodOf } from "#lib/engine/series-methods/methods";
import { sliceRows } from "#lib/engine/table/rows";
import {
  type CandidateContext,
  type CandidateSpec,
  type Fitted,
  foundPenalty,
  withFound,
} from "./candidate.ts";
import { fitCandidate, joinParts } from "./fit-candidate.ts";
import { predictFold, predictorOf } from "./predict-fold.ts";
import { boostingSettings } from "./train-learner.ts";
import type { Tried } from "./tried.ts";

export type FitStage = "prepare" | "select" | "train" | "validate" | "refit" | "calibrate" | "write";
type Report = (fraction: number, stage: FitStage, message: string) => void;

/** A candidate fitted on the training rows, with its predictions of the validation rows. */
export type Finalist = {
  tried: Tried;
  fitted: Fitted;
  train: Metrics;
  validation: Metrics;
  /** The validation rows, predicted in blocks of one horizon, each from its own origin. */
  validated: OutOfSample;
};

/**
 * Fits the best candidate of each family on the training rows, and measures it on the validation rows. Keeps the order of
 * the candidates: the first one fitted is the model to keep.
 *
 * @throws TrainingImpossible if no candidate has a feature that varies
 */
export async function trainFinalists(
  context: CandidateContext,
  finalists: readonly Tried[],
  onProgress: Report,
): Promise<Finalist[]> {
  const fits = new Map<CandidateSpec, Fitted | null>();
  const byTried = new Map<Tried, Finalist | null>();
  // A blend joins the fits of its parts, so it comes after them.
  const order = finalists.toSorted((a, b) => Number("parts" in a) - Number("parts" in b));
  for (const [position, tried] of order.entries()) {
    const finalist = await trainFinalist(context, tried, fits, (part, stage, message) =>
      onProgress((position + part) / finalists.length, stage, message),
    );
    byTried.set(tried, finalist);
  }
  const trained = finalists.flatMap((tried) => byTried.get(tried) ?? []);
  if (trained.length === 0) {
    const [{ family }] = finalists as [Tried];
    const [method] = FAMILY_METHODS[family] ?? [];
    if (method) {
      const { needs = "more observations" } = methodOf(method);
      throw new TrainingImpossible(
        `${algorithms[family].label} does not fit this series, because it needs ${needs}. Add rows, or choose \`combination\`.`,
      );
    }
    throw new TrainingImpossible(
      "No input column varies, and there is no calendar feature or target lag. Add a column that varies, enable calendar features, or add rows: calendar features need at least two days.",
    );
  }
  return trained;
}

async function trainFinalist(
  context: CandidateContext,
  tried: Tried,
  fits: Map<CandidateSpec, Fitted | null>,
  report: Report,
): Promise<Finalist | null> {
  const { trainingRows, targets } = context.data;
  const name = modelNameOf(tried, context.classes);
  if (context.shouldStop()) throw new TrainingCancelled();
  const message = `${name}: training on ${counted(trainingRows, "row")}`;
  report(0, "train", message);
  const started = performance.now();
  const onProgress = (fraction: number) => report(0.9 * fraction, "train", message);
  const fitOne = (spec: CandidateSpec) =>
    fitCandidate(context, spec, [{ from: 0, to: trainingRows }], { onProgress });
  const fitted = tried.parts
    ? joinParts(
        tried.parts,
        tried.parts.map(({ spec }) => fits.get(spec) ?? fitOne(spec)),
      )
    : fitOne(tried);
  fits.set(tried, fitted);
  if (fitted === null) return null;
  report(0.92, "validate", `${name}: validating on ${counted(targets.length - trainingRows, "row")}`);
  const finalist = { tried, fitted, ...(await measure(context, fitted)) };
  tried.seconds += (performance.now() - started) / 1000;
  return finalist;
}

async function measure(context: CandidateContext, fitted: Fitted) {
  const { data, classes } = context;
  const metricsOf = classes ? classMetrics : regressionMetrics;
  const { targets, trainingRows: cut } = data;
  const { predictions, steps } = await predictFold(context, fitted, { from: cut, to: targets.length });
  const actual = targets.subarray(cut);
  return {
    train: metricsOf(targets.subarray(0, cut), await predictLearned(context, fitted)),
    validation: metricsOf(actual, predictions),
    validated: { from: cut, actual, predicted: predictions, steps },
  };
}

/**
 * Predicts the training rows. NaN, which metrics skip, for rows of a forecast that starts with the series and has nothing
 * to continue.
 */
async function predictLearned({ data, known, ...context }: CandidateContext, fitted: Fitted) {
  const { trainingRows } = data;
  const predictor = predictorOf(context, fitted);
  const { predictions, steps } = await predictor.predict(sliceRows(data.table, 0, trainingRows), known);
  if (!predictor.readsTarget || known === null || steps === null) return predictions;
  const cells = rowIndexes(known, trainingRows);
  return predictions.map((value, row) => (cells[row]! - steps[row]! < known.firstIndex ? Number.NaN : value));
}

/** Refits the kept candidate on all rows, with the settings that were found. */
export function refit(
  context: CandidateContext,
  { tried, fitted }: Finalist,
  onProgress: (fraction: number) => void,
): Fitted {
  const { targets, trainingRows } = context.data;
  const growth = targets.length / trainingRows;
  const spec = withFound(tried, fitted.learner, (settings, learner) =>
    settingsFound(settings, learner, growth),
  );
  return fitCandidate(context, spec, [{ from: 0, to: targets.length }], { onProgress })!;
}

/** Returns the settings with the number of trees scaled in proportion to the rows. */
function settingsFound(settings: Hyperparameters, learner: SingleLearner, growth: number): Hyperparameters {
  if (learner.kind !== "trees") return foundPenalty(settings, learner);
  if (settings.earlyStopping === false) return settings;
  const { rounds: most } = boostingSettings(settings);
  const rounds = Math.max(1, Math.min(most, Math.round(learner.trees.length * growth)));
  return { ...settings, rounds, earlyStopping: false };
}

/** Converts the error of a requested lag that would read the future into TrainingImpossible. */
export async function convertFutureLagError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof InvalidFeatureStep) throw new TrainingImpossible(cause.message, { cause });
    throw cause;
  }
}
