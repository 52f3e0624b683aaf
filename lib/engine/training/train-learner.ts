import type { Hyperparameters } from "#lib/contract/hyperparameters";
import { standardScale } from "#lib/engine/features/fit-pipeline";
import type { FeaturePipeline, Step } from "#lib/engine/features/pipeline";
import { mean } from "#lib/engine/features/statistics";
import { stepColumns } from "#lib/engine/inference/feature-sources";
import type { Family, Learner } from "#lib/engine/inference/learner";
import { trainElasticNet } from "#lib/engine/learners/elastic-net";
import { trainGradientBoosting } from "#lib/engine/learners/gradient-boosting";
import { type LinearModel, predictLinear } from "#lib/engine/learners/linear-design";
import { logOddsOfRate } from "#lib/engine/learners/log-odds";
import { trainLogisticRegression } from "#lib/engine/learners/logistic-regression";
import type { LossName } from "#lib/engine/learners/losses";
import { repeatLag, type ScaledLag, trainDrift, trainMean } from "#lib/engine/learners/naive";
import { trainRidge } from "#lib/engine/learners/ridge";
import type { Ensemble } from "#lib/engine/learners/tree";
import type { CandidateContext } from "./candidate.ts";
import type { FeatureSet } from "./feature-sets.ts";

/** Number of rounds without a better error before early stopping ends the training. */
const PATIENCE_ROUNDS = 200;
/** Minimum number of training rows for early stopping. */
const EARLY_STOPPING_ROWS_MIN = 40;

/** Fast boosting settings: a fixed number of rounds without early stopping. */
export type QuickBoosting = { rounds: number; learningRate: number };

type LearnerRequest = {
  family: Family;
  hyperparameters: Hyperparameters;
  set: FeatureSet;
  pipeline: FeaturePipeline;
  columns: Float32Array[];
  target: Float64Array;
  /** Settings for a back-test; absent for the final model. */
  quick?: QuickBoosting | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
};

/** @throws TrainingCancelled */
export function trainLearner(context: CandidateContext, request: LearnerRequest): Learner {
  const { family, hyperparameters, columns, target, pipeline } = request;
  const { alpha, l1Ratio } = hyperparameters;
  const { data, classes, shouldStop } = context;
  const { order } = data;
  if (family === "mean") return classes ? baseRate(columns, target) : trainMean(columns, target);
  if (family === "seasonal_naive") return repeatLag(columns, scaledLags(pipeline)[0]!);
  if (family === "drift") return trainDrift(columns, target, scaledLags(pipeline));
  if (family === "gradient_boosting") return trainBoosting(context, request);
  if (classes) return trainLogisticRegression(columns, target, { alpha, shouldStop });
  const prior = priorWeights(request);
  const rest = prior ? withoutPrior(columns, target, prior) : target;
  const learned =
    family === "ridge"
      ? trainRidge(columns, rest, { alpha, order, signs: directionsOf(context.signs, pipeline, columns) })
      : trainElasticNet(columns, rest, { alpha, l1Ratio, order, shouldStop });
  return prior ? withPrior(learned, prior) : learned;
}

/** Returns a model that predicts the share of the second class for every row. */
function baseRate(columns: Float32Array[], target: Float64Array): LinearModel {
  const model = trainMean(columns, target);
  return { ...model, intercept: logOddsOfRate(model.intercept, target.length) };
}

type Prior = { weights: Float64Array; constant: number };

/**
 * Returns the `prior` of the feature set as weights of the columns. The penalty shrinks a linear model towards these
 * weights (Litterman 1986).
 */
function priorWeights({ set, pipeline, columns }: LearnerRequest): Prior | null {
  if (!set.prior) return null;
  const weights = new Float64Array(columns.length);
  let constant = 0;
  const places = stepColumns(pipeline);
  for (const { steps, weight } of set.prior) {
    const at = pipeline.steps.findIndex((step) => step.op === "lag" && step.steps === steps);
    const step = pipeline.steps[at] as Step<"lag">;
    weights[places[at]!] = weight / (step.scale ?? 1);
    constant += weight * (step.center ?? 0);
  }
  return { weights, constant };
}

function withoutPrior(
  columns: Float32Array[],
  target: Float64Array,
  { weights, constant }: Prior,
): Float64Array {
  const rest = target.map((value) => value - constant);
  weights.forEach((weight, at) => {
    if (weight === 0) return;
    const column = columns[at]!;
    for (let row = 0; row < rest.length; row++) rest[row]! -= weight * column[row]!;
  });
  return rest;
}

function withPrior(model: LinearModel, { weights, constant }: Prior): LinearModel {
  return {
    ...model,
    coefficients: model.coefficients.map((coefficient, at) => coefficient + weights[at]!),
    intercept: model.intercept + constant,
  };
}

function scaledLags({ steps }: FeaturePipeline): ScaledLag[] {
  return steps.flatMap((step) =>
    step.op === "lag" ? [{ steps: step.steps, center: step.center ?? 0, scale: step.scale ?? 1 }] : [],
  );
}

/**
 * Returns the settings with defaults. Many small trees, each on half of the rows, are less sensitive to single rows
 * than few large ones.
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

function boostingParams(
  { hyperparameters, pipeline, columns, target }: LearnerRequest,
  { seed, classes, signs }: CandidateContext,
) {
  const { quantile = 0.5, l1 = 0 } = hyperparameters;
  const loss: LossName = classes ? "logistic" : (hyperparameters.loss ?? "squared");
  const minLeaf = hyperparameters.minLeaf ?? Math.max(2, Math.min(20, Math.floor(target.length / 50)));
  const monotone = directionsOf({ ...signs, ...hyperparameters.monotone }, pipeline, columns);
  return {
    ...boostingSettings(hyperparameters),
    loss,
    quantile,
    l1,
    monotone: monotone ?? null,
    minLeaf,
    seed,
  };
}

/**
 * Returns the direction of each column: 1 increasing, -1 decreasing, 0 free; undefined if all are free. Only the column of a
 * numeric input has one. A calendar field may have the same name.
 */
export function directionsOf(
  monotone: NonNullable<Hyperparameters["monotone"]>,
  pipeline: FeaturePipeline,
  columns: readonly Float32Array[],
): Int8Array | undefined {
  if (Object.keys(monotone).length === 0) return undefined;
  const directions = new Int8Array(columns.length);
  const places = stepColumns(pipeline);
  const directionOf = new Map(Object.entries(monotone));
  pipeline.steps.forEach((step, at) => {
    if (step.op !== "number" && step.op !== "upstream") return;
    const direction = directionOf.get(step.feature);
    if (direction !== undefined) directions[places[at]!] = direction === "increasing" ? 1 : -1;
  });
  return directions;
}

/**
 * Trains boosting. The number of trees is chosen on the last fifth of the training rows, never on the validation
 * rows. Then the model is retrained on all training rows, with proportionally more trees.
 */
function trainBoosting(context: CandidateContext, request: LearnerRequest): Ensemble {
  const { hyperparameters } = request;
  const base = hyperparameters.targetTransform === "difference" ? recentLevel(request) : undefined;
  const target = base ? differencesTo(base, request) : request.target;
  // Logarithms of counts and of odds have no unit, so the target is not scaled.
  if (context.classes || hyperparameters.loss === "poisson") return trainTrees(context, request);
  const { center, scale } = standardScale(target);
  const scaled = target.map((value) => (value - center) * scale);
  const { l1 } = hyperparameters;
  const settings = l1 === undefined ? hyperparameters : { ...hyperparameters, l1: l1 * scale };
  const ensemble = trainTrees(context, { ...request, target: scaled, hyperparameters: settings });
  return { ...ensemble, center, scale: 1 / scale, ...(base && { base }) };
}

function trainTrees(context: CandidateContext, request: LearnerRequest): Ensemble {
  const { shouldStop } = context;
  const { hyperparameters, columns, target, quick, onProgress = () => {} } = request;
  const rows = target.length;
  const params = boostingParams(request, context);
  if (quick) {
    const rounds = Math.min(quick.rounds, hyperparameters.rounds ?? Number.POSITIVE_INFINITY);
    const fastParams = { ...params, rounds, learningRate: quick.learningRate };
    return trainGradientBoosting(columns, target, fastParams, { onProgress, shouldStop }).ensemble;
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
  // Scale the number of trees in proportion to the rows.
  const rounds = Math.min(params.rounds, Math.max(1, Math.round((bestRound * rows) / inner)));
  const final = { ...params, rounds };
  return trainGradientBoosting(columns, target, final, {
    onProgress: (fraction) => onProgress((1 + fraction) / 2),
    shouldStop,
  }).ensemble;
}

/**
 * Returns the recent level as a linear model of the columns: the first window of the mean. Trees cannot extrapolate a
 * trend, but follow it if they learn the difference to this level. Returns undefined without such a window.
 */
function recentLevel({ pipeline, columns }: LearnerRequest): LinearModel | undefined {
  const at = pipeline.steps.findIndex((step) => step.op === "rolling" && step.statistic === "mean");
  const step = pipeline.steps[at];
  if (step?.op !== "rolling") return undefined;
  const coefficients = new Float64Array(columns.length);
  coefficients[stepColumns(pipeline)[at]!] = 1 / (step.scale ?? 1);
  const means = Float64Array.from(columns, (column) => mean(Float64Array.from(column)));
  return { kind: "linear", coefficients, intercept: step.center ?? 0, means };
}

/** Returns the target minus the level of each row. */
function differencesTo(level: LinearModel, { columns, target }: LearnerRequest): Float64Array {
  const levels = predictLinear(level, columns);
  return target.map((value, row) => value - levels[row]!);
}
