import { predictRows } from "#lib/ml/forecast/predict-rows";
import { sliceRows } from "#lib/ml/table/rows";
import { trainGradientBoosting } from "#lib/ml/train/gradient-boosting";
import { regressionMetrics } from "#lib/ml/train/metrics";
import { trainRidge } from "#lib/ml/train/ridge";
import { boostingParams, fitCandidatePipeline, runLearner, trainingFeatures } from "./candidate.ts";
import type { FeatureSet } from "./feature-sets.ts";
import type { CandidateContext, Family } from "./learner.ts";
import type { TargetMetric } from "./model-files.ts";
import { error } from "./target-metrics.ts";

export type ScreenedSet = { set: FeatureSet; error: number };

/** Rows that the quick models learn from; more would not change which set is best. */
const SCREENING_ROWS_MAX = 30_000;
/** Lags must beat doing without by this much: a model without them is simpler, and its rows stand alone. */
const MARGIN = 0.02;

/**
 * Which target lags help a family, found inside the training rows: quick models learn from the first four fifths and
 * predict the last, in the same way (recursive where needed) as the model will be used. The first set is the one
 * without lags.
 */
export async function selectFeatureSet(
  context: CandidateContext,
  family: Family,
  sets: readonly FeatureSet[],
  horizon: number,
  metric: TargetMetric,
  onScreened: (done: number) => void,
): Promise<ScreenedSet> {
  const screened: ScreenedSet[] = [];
  for (const set of sets) {
    if (sets.length === 1) return { set, error: 0 };
    screened.push({ set, error: await screen(context, family, set, horizon, metric) });
    onScreened(screened.length);
  }
  const best = screened.reduce((a, b) => (b.error < a.error ? b : a));
  const first = screened[0]!;
  return best.error < first.error * (1 - MARGIN) ? best : first;
}

async function screen(
  context: CandidateContext,
  family: Family,
  set: FeatureSet,
  horizon: number,
  metric: TargetMetric,
): Promise<number> {
  const { data, known, seed, shouldStop, hyperparameters } = context;
  const inner = Math.floor(data.trainingRows * 0.8);
  const from = Math.max(0, inner - SCREENING_ROWS_MAX);
  const pipeline = fitCandidatePipeline(context, family, set, inner);
  const { columns } = trainingFeatures(context, pipeline, from, inner);
  if (columns.length === 0) return Number.POSITIVE_INFINITY;
  const target = data.targets.subarray(from, inner);
  const quick = { ...boostingParams(hyperparameters, inner - from, seed), rounds: 200, learningRate: 0.1 };
  const learner =
    family === "ridge"
      ? trainRidge(
          columns,
          target,
          hyperparameters.alpha === undefined ? {} : { alpha: hyperparameters.alpha },
        )
      : trainGradientBoosting(columns, target, quick, { shouldStop }).ensemble;
  const run = async (inputs: Float32Array[]) => runLearner(learner, inputs);
  const rows = sliceRows(data.table, inner, data.trainingRows);
  const { predictions } = await predictRows({ pipeline, horizon, run }, rows, known);
  return error(metric, regressionMetrics(data.targets.subarray(inner, data.trainingRows), predictions));
}
