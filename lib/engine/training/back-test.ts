import type { Hyperparameters } from "#lib/contract/hyperparameters";
import { isClassMetric, isHigherBetter } from "#lib/contract/metric-names";
import type { TargetMetric } from "#lib/contract/models";
import type { Metrics } from "#lib/engine/inference/model-files";
import type { OutOfSample } from "#lib/engine/inference/out-of-sample-file";
import { classMetrics } from "#lib/engine/learners/class-metrics";
import { meanPinball, regressionMetrics } from "#lib/engine/learners/metrics";
import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import type { CandidateContext, CandidateSpec } from "./candidate.ts";
import { fitCandidate } from "./fit-candidate.ts";
import type { Fold } from "./folds.ts";
import { predictFold } from "./predict-fold.ts";
import type { QuickBoosting } from "./train-learner.ts";

export type BackTestBudget = QuickBoosting & { rowsMax: number };

type BackTest = {
  /** Lower is better; infinite if a series method does not fit the rows, or the candidate predicts nothing. */
  error: number;
  rows: OutOfSample | null;
};

/**
 * Measures a candidate on the test rows of a fold, predicted in the way that the model will be used. The error is the
 * metric, or the pinball loss with the loss `quantile`.
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

/**
 * Splits forecasts by their origins. Steps alone do not show them: after a gap, the first row of an origin can be more
 * steps ahead than the row before.
 *
 * @param cells grid cell of each row of the training data; null without a series
 */
export function byOrigin(rows: OutOfSample, cells: ArrayLike<number> | null): OutOfSample[] {
  const { from, actual, predicted, steps } = rows;
  if (steps === null || cells === null) return [rows];
  const originOf = (row: number) => cells[from + row]! - steps[row]!;
  const starts = Array.from(steps.keys()).filter((row) => row === 0 || originOf(row) !== originOf(row - 1));
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

/** Returns the metric as an error, where less is better. */
function error(metric: TargetMetric, metrics: Metrics): number {
  const value = metrics[metric] ?? Number.NaN;
  if (Number.isNaN(value)) return Number.POSITIVE_INFINITY;
  return isHigherBetter(metric) ? 1 - value : value;
}

/** Returns the error that candidates are compared by: the metric, or the pinball loss for quantiles. Less is better. */
export function comparedError(
  metric: TargetMetric,
  { loss, quantile = 0.5 }: Hyperparameters,
  actual: Float64Array,
  predicted: Float64Array,
): number {
  return loss === "quantile"
    ? meanPinball(actual, predicted, quantile)
    : error(
        metric,
        isClassMetric(metric) ? classMetrics(actual, predicted) : regressionMetrics(actual, predicted),
      );
}
