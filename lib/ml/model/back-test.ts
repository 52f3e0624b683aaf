import { predictRows } from "#lib/ml/forecast/predict-rows";
import type { CalibrationRows } from "#lib/ml/intervals/conformal";
import { numericValues } from "#lib/ml/table/columns";
import { sliceRows } from "#lib/ml/table/rows";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import { fitCandidatePipeline, trainingFeatures } from "./candidate.ts";
import { type Fold, tableOf } from "./folds.ts";
import type { CandidateContext, CandidateSpec } from "./learner.ts";
import type { TargetMetric } from "./model-files.ts";
import { comparedError } from "./target-metrics.ts";
import { type QuickBoosting, runLearner, trainLearner } from "./train-learner.ts";

export type BackTestBudget = QuickBoosting & { rowsMax: number };

export type BackTest = {
  /** Less is better; infinite where the candidate has no feature that varies, or predicts nothing. */
  error: number;
  rows: CalibrationRows | null;
};

/**
 * The error of a candidate by the metric (with a quantile's loss, by that) on the rows of a fold that it did not learn
 * from, predicted in the way that the model will be used: from forecast origins, recursive where lags are shorter than
 * the horizon.
 */
export async function backTest(
  context: CandidateContext,
  spec: CandidateSpec,
  { train, test }: Fold,
  { rowsMax, ...quick }: BackTestBudget,
  metric: TargetMetric,
): Promise<BackTest> {
  if (context.shouldStop()) throw new TrainingCancelled();
  const { data, known, horizon, target, nonNegative } = context;
  const rows = tableOf(data.table, train);
  const pipeline = fitCandidatePipeline(context, spec, rows);
  // The latest rows tell most of the next ones; a state fitted on all of them costs little.
  const from = Math.max(0, rows.rowCount - rowsMax);
  const { names, columns } = trainingFeatures(context, pipeline, rows, from);
  if (columns.length === 0) return { error: Number.POSITIVE_INFINITY, rows: null };
  const targets = numericValues(rows, target).subarray(from);
  const learner = trainLearner(context, { ...spec, names, columns, target: targets, quick });
  const run = async (inputs: Float32Array[]) => runLearner(learner, inputs, nonNegative);
  const to = Math.min(test.to, test.from + rowsMax);
  const tested = sliceRows(data.table, test.from, to);
  const { predictions, steps } = await predictRows({ pipeline, horizon: horizon ?? 1, run }, tested, known);
  const actual = data.targets.subarray(test.from, to);
  return {
    error: comparedError(metric, spec.hyperparameters, actual, predictions),
    rows: { actual, predicted: predictions, steps },
  };
}
