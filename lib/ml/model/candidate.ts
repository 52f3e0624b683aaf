import type { FeatureMatrix } from "#lib/ml/features/build-features";
import { fitPipeline } from "#lib/ml/features/fit-pipeline";
import type { FeaturePipeline } from "#lib/ml/features/pipeline";
import { trainingFeatures as learnedFeatures } from "#lib/ml/features/training-features";
import { sliceRows } from "#lib/ml/table/rows";
import { trainGradientBoosting } from "#lib/ml/train/gradient-boosting";
import { predictLinear } from "#lib/ml/train/linear-design";
import { trainRidge } from "#lib/ml/train/ridge";
import { predictEnsemble } from "#lib/ml/train/tree";
import type { EvaluatedModel } from "./evaluate-learner.ts";
import type { FeatureSet } from "./feature-sets.ts";
import type { CandidateContext, Family, Hyperparameters, Learner } from "./learner.ts";

/** Rounds without a better error before early stopping gives up. */
const PATIENCE_ROUNDS = 100;
/** Below so many training rows there is too little to hold back for early stopping. */
const EARLY_STOPPING_ROWS_MIN = 40;

/** Feature steps fitted on the first `trainingRows` rows. */
export function fitCandidatePipeline(
  context: CandidateContext,
  family: Family,
  set: FeatureSet,
  trainingRows: number,
): FeaturePipeline {
  return fitPipeline({
    table: sliceRows(context.data.table, 0, trainingRows),
    target: context.target,
    timestamp: context.timestamp,
    timezone: context.timezone,
    grid: context.data.grid,
    inputs: context.data.inputs,
    missing: context.missing,
    upstream: context.upstream,
    calendar: context.calendar,
    lags: set.lags,
    rolling: set.rolling,
    ...context.extra,
    family: family === "gradient_boosting" ? "trees" : "linear",
  });
}

/** Model inputs of rows `from` to `to`, every lag read from what was observed. */
export function trainingFeatures(
  context: CandidateContext,
  pipeline: FeaturePipeline,
  from: number,
  to: number,
): FeatureMatrix {
  const { known, data } = context;
  const history = known ? { firstIndex: known.firstIndex, observed: known.observed } : undefined;
  return learnedFeatures(pipeline, data.table, { from, to, history });
}

/** Many small trees, each on half of the rows: less swayed by single rows than few large ones. */
export function boostingParams(hyper: Hyperparameters, rows: number, seed: number) {
  return {
    rounds: hyper.rounds ?? 800,
    maxLeaves: hyper.maxLeaves ?? 15,
    learningRate: hyper.learningRate ?? 0.05,
    minLeaf: hyper.minLeaf ?? Math.max(2, Math.min(20, Math.floor(rows / 50))),
    l2: hyper.l2 ?? 0,
    subsample: hyper.subsample ?? 0.5,
    colsample: hyper.colsample ?? 1,
    seed,
  };
}

/**
 * Learns from the first `trainingRows` rows. The number of trees is found on the last fifth of them, never on the
 * validation rows, and then the model is trained anew on all of them.
 */
export function trainLearner(
  context: CandidateContext,
  family: Family,
  pipeline: FeaturePipeline,
  onProgress: (fraction: number) => void,
): Learner {
  const { data, hyperparameters, seed, shouldStop } = context;
  const rows = data.trainingRows;
  const { columns } = trainingFeatures(context, pipeline, 0, rows);
  const target = data.targets.subarray(0, rows);
  if (family === "ridge") {
    const { alpha } = hyperparameters;
    return trainRidge(columns, target, alpha === undefined ? {} : { alpha });
  }
  const params = boostingParams(hyperparameters, rows, seed);
  if (hyperparameters.earlyStopping === false || rows < EARLY_STOPPING_ROWS_MIN) {
    return trainGradientBoosting(columns, target, params, { onProgress, shouldStop }).ensemble;
  }
  const inner = Math.floor(rows * 0.8);
  const part = (from: number, to: number) => ({
    columns: columns.map((column) => column.subarray(from, to)),
    target: target.subarray(from, to),
  });
  const learned = part(0, inner);
  const { bestRound } = trainGradientBoosting(
    learned.columns,
    learned.target,
    { ...params, earlyStoppingRounds: PATIENCE_ROUNDS },
    { validation: part(inner, rows), onProgress: (fraction) => onProgress(fraction / 2), shouldStop },
  );
  const final = { ...params, rounds: Math.max(1, bestRound) };
  return trainGradientBoosting(columns, target, final, {
    onProgress: (fraction) => onProgress((1 + fraction) / 2),
    shouldStop,
  }).ensemble;
}

export function runLearner(learner: Learner, columns: Float32Array[]): Float64Array {
  return learner.kind === "trees" ? predictEnsemble(learner, columns) : predictLinear(learner, columns);
}

export type Candidate = {
  family: Family;
  set: FeatureSet;
  pipeline: FeaturePipeline;
  learner: Learner;
  evaluation: EvaluatedModel;
};
