import { trainElasticNet } from "#lib/ml/train/elastic-net";
import { trainGradientBoosting } from "#lib/ml/train/gradient-boosting";
import { predictLinear } from "#lib/ml/train/linear-design";
import { trainRidge } from "#lib/ml/train/ridge";
import { laggedValue } from "#lib/ml/train/seasonal-naive";
import { predictEnsemble } from "#lib/ml/train/tree";
import type { CandidateContext, Family, Hyperparameters, Learner } from "./learner.ts";

/** Rounds without a better error before early stopping gives up. */
const PATIENCE_ROUNDS = 200;
/** Below so many training rows there is too little to hold back for early stopping. */
const EARLY_STOPPING_ROWS_MIN = 40;

/** Boosting in a hurry: so many rounds, no early stopping. */
export type QuickBoosting = { rounds: number; learningRate: number };

export type LearnerRequest = {
  family: Family;
  hyperparameters: Hyperparameters;
  /** Of the columns; an input column with numbers has its own. */
  names: readonly string[];
  columns: Float32Array[];
  target: Float64Array;
  /** For a back-test; absent for the model that is kept. */
  quick?: QuickBoosting | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
};

/** @throws TrainingCancelled */
export function trainLearner(context: CandidateContext, request: LearnerRequest): Learner {
  const { family, hyperparameters, columns, target } = request;
  const { alpha, l1Ratio } = hyperparameters;
  const order = context.timestamp === null ? "random" : "time";
  if (family === "seasonal_naive") return laggedValue(columns[0]!);
  if (family === "ridge") return trainRidge(columns, target, { alpha, order });
  if (family === "elastic_net") {
    return trainElasticNet(columns, target, { alpha, l1Ratio, order, shouldStop: context.shouldStop });
  }
  return trainBoosting(context, request);
}

/**
 * The settings with defaults for what is absent: many small trees, each on half of the rows, are less swayed by single
 * rows than few large ones.
 */
export function boostingSettings(hyper: Hyperparameters) {
  return {
    rounds: hyper.rounds ?? 1_000,
    maxLeaves: hyper.maxLeaves ?? 15,
    learningRate: hyper.learningRate ?? 0.05,
    l2: hyper.l2 ?? 0,
    subsample: hyper.subsample ?? 0.5,
    colsample: hyper.colsample ?? 1,
  };
}

function boostingParams(hyper: Hyperparameters, names: readonly string[], rows: number, seed: number) {
  const { loss = "squared", quantile = 0.5, l1 = 0 } = hyper;
  const minLeaf = hyper.minLeaf ?? Math.max(2, Math.min(20, Math.floor(rows / 50)));
  const directions = new Map(Object.entries(hyper.monotone ?? {}));
  const monotone =
    directions.size === 0
      ? null
      : names.map((name) => ({ increasing: 1, decreasing: -1, free: 0 })[directions.get(name) ?? "free"]);
  return { ...boostingSettings(hyper), loss, quantile, l1, monotone, minLeaf, seed };
}

/**
 * The number of trees is found on the last fifth of the training rows, never on the validation rows, and then the
 * model is trained anew on all of them, with as many more trees as there are more rows.
 */
function trainBoosting({ seed, shouldStop }: CandidateContext, request: LearnerRequest): Learner {
  const { hyperparameters, names, columns, target, quick, onProgress = () => {} } = request;
  const rows = target.length;
  const params = boostingParams(hyperparameters, names, rows, seed);
  if (quick) {
    const rounds = Math.min(quick.rounds, hyperparameters.rounds ?? Number.POSITIVE_INFINITY);
    const hurried = { ...params, rounds, learningRate: quick.learningRate };
    return trainGradientBoosting(columns, target, hurried, { onProgress, shouldStop }).ensemble;
  }
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
  // More rows carry more trees, in proportion.
  const rounds = Math.min(params.rounds, Math.max(1, Math.round((bestRound * rows) / inner)));
  const final = { ...params, rounds };
  return trainGradientBoosting(columns, target, final, {
    onProgress: (fraction) => onProgress((1 + fraction) / 2),
    shouldStop,
  }).ensemble;
}

/** What the model says, before it is written down; as it will be used, never below 0 where the target never was. */
export function runLearner(learner: Learner, columns: Float32Array[], nonNegative: boolean): Float64Array {
  const values =
    learner.kind === "trees" ? predictEnsemble(learner, columns) : predictLinear(learner, columns);
  return nonNegative ? values.map((value) => Math.max(0, value)) : values;
}
