import { gridIndexes } from "#lib/engine/features/build-features";
import { fitPipeline } from "#lib/engine/features/fit-pipeline";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { NO_HISTORY } from "#lib/engine/features/target-history";
import { trainingFeatures } from "#lib/engine/features/training-features";
import { stepColumns } from "#lib/engine/inference/feature-sources";
import { FAMILY_METHODS, type SeriesLearner } from "#lib/engine/inference/learner";
import { type LinearModel, predictLinear } from "#lib/engine/learners/linear-design";
import { trainRidge } from "#lib/engine/learners/ridge";
import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import { filledGaps } from "#lib/engine/series-methods/gaps";
import { needsDifferences } from "#lib/engine/series-methods/kpss";
import { fitMethod } from "#lib/engine/series-methods/methods";
import { numericValues } from "#lib/engine/table/columns";
import type { CandidateContext, CandidateSpec, Fitted } from "./candidate.ts";
import { type Range, sampled, tableOf } from "./folds.ts";
import { seasonLengths } from "./seasonality.ts";

/** Minimum number of observations for a series method. */
const OBSERVATIONS_MIN = 4;

/**
 * Fits series methods to the target; with inputs, to the target minus a regression on the inputs. Returns null if no
 * method has enough observations.
 */
export function fitSeries(
  context: CandidateContext,
  { family, set, hyperparameters }: CandidateSpec,
  ranges: readonly Range[],
): Fitted | null {
  const { data, known, target, shouldStop } = context;
  const { grid } = data;
  if (!known || !grid) return null;
  const rows = tableOf(data.table, ranges);
  const pipeline = fitPipeline({
    table: rows,
    target,
    timestamp: context.timestamp,
    timezone: context.timezone,
    grid,
    inputs: set.withInputs ? data.inputs : [],
    missing: context.missing,
    upstream: context.upstream,
    // The methods find seasons themselves; with inputs the calendar helps to separate seasons from inputs.
    calendar: set.withInputs === true && context.calendar,
    lags: [],
    rolling: [],
    family: "linear",
    ...(set.withInputs ? { ...context.extra, differences: [] } : {}),
  });
  const indexes = gridIndexes(pipeline, rows);
  const first = indexes[0]!;
  const length = indexes.at(-1)! - first + 1;
  const observed = known.observed.slice(first - known.firstIndex, first - known.firstIndex + length);
  if (observed.length < OBSERVATIONS_MIN) return null;
  const inputs = set.withInputs ? fitInputs(context, pipeline, ranges, hyperparameters) : null;
  if (inputs) {
    const { columns } = trainingFeatures(pipeline, rows, { from: 0, to: rows.rowCount });
    const added = predictLinear(inputs, columns);
    // If two rows fall into one cell, the later one is observed, as in `knownSeries`.
    const rowAt = new Map(Array.from(indexes, (index, row) => [index, row]));
    for (const [index, row] of rowAt) observed[index - first]! -= added[row]!;
  }
  const seasons = seasonLengths(grid.frequency);
  const methods: SeriesLearner["methods"] = [];
  for (const method of FAMILY_METHODS[family]!) {
    if (shouldStop()) throw new TrainingCancelled();
    const fit = fitMethod(method, observed, seasons);
    if (fit) methods.push({ parameters: fit.parameters, start: first + fit.skipped });
  }
  if (methods.length === 0) return null;
  const filled = filledGaps(observed);
  const mean = filled.reduce((sum, value) => sum + value, 0) / filled.length;
  const isNonNegative = numericValues(rows, target).every((value) => value >= 0);
  return { pipeline, learner: { kind: "series", methods, inputs, mean }, floor: isNonNegative ? 0 : null };
}

/**
 * Fits the contribution of the inputs, which is 0 at their means, by ridge regression. If a regression of levels leaves a
 * wandering remainder, regresses changes on changes, because wandering levels correlate by chance (Granger and Newbold
 * 1974). A target that wanders with its inputs (Engle and Granger 1987) keeps the regression of levels, as in R's
 * auto.arima(). Lags are without history, so their coefficients are 0.
 *
 * @param sample draws the rows to learn from, given the number of rows; by default each row once
 * @returns null without an input that varies
 */
export function fitInputs(
  { data, target }: CandidateContext,
  pipeline: FeaturePipeline,
  ranges: readonly Range[],
  { alpha, sample }: { alpha?: number | undefined; sample?: ((count: number) => Int32Array) | undefined },
): LinearModel | null {
  const rows = tableOf(data.table, ranges);
  const all = { from: 0, to: rows.rowCount, history: NO_HISTORY };
  const { columns } = trainingFeatures(pipeline, rows, all);
  if (columns.length === 0) return null;
  const targets = numericValues(rows, target);
  const levels = trainRidge(columns, targets, { alpha, order: "time" });
  const predicted = predictLinear(levels, columns);
  const wanders = needsDifferences(targets.map((value, row) => value - predicted[row]!));
  const regressors = wanders ? changesOfColumns(pipeline, columns) : columns;
  const response = wanders ? changes(targets) : targets;
  const drawn = sample?.(response.length);
  const regress = (rows: Float32Array[], values: Float64Array) =>
    trainRidge(rows, values, { alpha, order: "time" });
  const onAll = () => (wanders ? regress(regressors, response) : levels);
  const model = drawn
    ? regress(
        regressors.map((column) => sampled(column, drawn)),
        sampled(response, drawn),
      )
    : onAll();
  const means = Float64Array.from(
    columns,
    (column) => column.reduce((sum, value) => sum + value, 0) / column.length,
  );
  const intercept = -model.coefficients.reduce((sum, weight, i) => sum + weight * means[i]!, 0);
  return { kind: "linear", coefficients: model.coefficients, intercept, means, alpha: model.alpha! };
}

/**
 * Returns the changes of each column; 0 for a column of the step `trend`. Changes of a trend differ only by rounding and
 * the lengths of months, and a coefficient of these differences could continue as a trend of any size. The series methods
 * continue the trend.
 */
function changesOfColumns(pipeline: FeaturePipeline, columns: readonly Float32Array[]): Float32Array[] {
  const places = stepColumns(pipeline);
  const trends = new Set(pipeline.steps.flatMap(({ op }, at) => (op === "trend" ? [places[at]!] : [])));
  return columns.map((column, at) =>
    trends.has(at) ? new Float32Array(column.length - 1) : changes(column),
  );
}

function changes<T extends Float32Array | Float64Array>(values: T): T {
  return values.subarray(1).map((value, i) => value - values[i]!) as T;
}
