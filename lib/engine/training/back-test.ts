import type { TargetMetric } from "#lib/engine/inference/model-files";
import type { CandidateContext, CandidateSpec } from "#lib/ml/model/learner";
import { comparedError } from "#lib/ml/model/target-metrics";
import { TrainingCancelled } from "#lib/ml/train/training-cancelled";
import { fitCandidate } from "./fit-candidate.ts";
import type { Fold } from "./folds.ts";
import { predictFold } from "./predict-fold.ts";
import type { QuickBoosting } from "./train-learner.ts";

export type BackTestBudget = QuickBoosting & { rowsMax: number };

/** Predictions of prepared rows by a model that had not seen them, from one forecast origin on. */
export type OutOfSample = {
  /** The first row; the others follow it. */
  from: number;
  actual: Float64Array;
  predicted: Float64Array;
  /** Steps ahead, from 1; null without a series. */
  steps: Int32Array | null;
};

export type BackTest = {
  /** Less is better; infinite where the candidate has no feature that varies, or predicts nothing. */
  error: number;
  rows: OutOfSample | null;
};

/**
 * The error of a candidate by the metric (with a quantile's loss, by that) on the rows of a fold that it did not learn
 * from, predicted in the way that the model will be used.
 */
export async function backTest(
  context: CandidateContext,
  spec: CandidateSpec,
  { train, test }: Fold,
  { rowsMax, ...quick }: BackTestBudget,
  metric: TargetMetric,
): Promise<BackTest> {
  if (context.shouldStop()) throw new TrainingCancelled();
  const fitted = fitCandidate(context, spec, train, { rowsMax, quick });
  if (fitted === null) return { error: Number.POSITIVE_INFINITY, rows: null };
  const tested = { from: test.from, to: Math.min(test.to, test.from + rowsMax) };
  const { predictions, steps } = await predictFold(context, fitted, tested);
  const actual = context.data.targets.subarray(tested.from, tested.to);
  return {
    error: comparedError(metric, spec.hyperparameters, actual, predictions),
    rows: { from: test.from, actual, predicted: predictions, steps },
  };
}

/** The forecasts of a stretch by their origins: steps begin again with each. */
export function byOrigin(rows: OutOfSample): OutOfSample[] {
  const { from, actual, predicted, steps } = rows;
  if (steps === null) return [rows];
  const starts = Array.from(steps.keys()).filter((row) => row === 0 || steps[row]! <= steps[row - 1]!);
  return starts.map((start, i) => {
    const end = starts[i + 1] ?? steps.length;
    return {
      from: from + start,
      actual: actual.subarray(start, end),
      predicted: predicted.subarray(start, end),
      steps: steps.subarray(start, end),
    };
  });
}
