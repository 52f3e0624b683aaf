import type { Table } from "#lib/contract/table";
import { gridIndexes } from "#lib/engine/features/build-features";
import { fitPipeline } from "#lib/engine/features/fit-pipeline";
import { inputReach, withInputLags } from "#lib/engine/features/input-lags";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { NO_HISTORY } from "#lib/engine/features/target-history";
import { trainingFeatures } from "#lib/engine/features/training-features";
import { stepColumns } from "#lib/engine/inference/feature-sources";
import { FAMILY_METHODS, type SeriesLearner } from "#lib/engine/inference/learner";
import { type LinearModel, predictLinear } from "#lib/engine/learners/linear-design";
import { trainRidge } from "#lib/engine/learners/ridge";
import { TrainingCancelled } from "#lib/engine/learners/training-errors";
import { fitCombination } from "#lib/engine/series-methods/fit-combination";
import { filledGaps } from "#lib/engine/series-methods/gaps";
import { needsDifferences } from "#lib/engine/series-methods/kpss";
import { fitMethod } from "#lib/engine/series-methods/methods";
import { numericValues } from "#lib/engine/table/columns";
import type { CandidateContext, CandidateSpec, Fitted } from "./candidate.ts";
import { type Range, sampled, tableOf } from "./folds.ts";
import { seasonLengths } from "./seasonality.ts";
import { directionsOf } from "./train-learner.ts";

export type EarlierFit = { fitted: Fitted; keeps: "parameters" | "form" };

/** Minimum number of observations for a series method. */
const OBSERVATIONS_MIN = 4;

/**
 * Fits series methods to the target; with inputs, to the target minus a regression on the inputs. Returns null if no
 * method has enough observations.
 *
 * @param earlier fit to other rows: a combination without inputs keeps the parameters of its methods, or their form
 */
export function fitSeries(
  context: CandidateContext,
  { family, set, hyperparameters }: CandidateSpec,
  ranges: readonly Range[],
  earlier?: EarlierFit,
): Fitted | null {
  const { data, known, target, shouldStop } = context;
  const { grid } = data;
  if (!known || !grid) return null;
  const ownRows = tableOf(data.table, ranges);
  const pipeline = fitPipeline({
    table: ownRows,
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
    inputLags: set.inputLags,
    logs: context.isOfLogs,
    ...(set.withInputs ? { ...context.extra, differences: [] } : {}),
  });
  const rows = withInputLags(pipeline, ownRows, known);
  const indexes = gridIndexes(pipeline, rows);
  const first = indexes[0]!;
  const length = indexes.at(-1)! - first + 1;
  const observed = known.observed.slice(first - known.firstIndex, first - known.firstIndex + length);
  if (observed.length < OBSERVATIONS_MIN) return null;
  const ignored = [...context.ignored].filter((index) => index >= first && index < first + length);
  for (const index of ignored) observed[index - first] = Number.NaN;
  const inputs = set.withInputs ? fitInputs(context, pipeline, ranges, hyperparameters) : null;
  if (inputs) {
    const { columns } = trainingFeatures(pipeline, rows, { from: 0, to: rows.rowCount });
    const added = predictLinear(inputs, columns);
    // If two rows fall into one cell, the later one is observed, as in `knownSeries`.
    const rowAt = new Map(Array.from(indexes, (index, row) => [index, row]));
    for (const [index, row] of rowAt) observed[index - first]! -= added[row]!;
    observed.fill(Number.NaN, 0, indexes[warmUpRows(pipeline, rows)]! - first);
  }
  const seasons = seasonLengths(grid.frequency);
  const fitted: Pick<SeriesLearner, "methods" | "seasons"> = { methods: [] };
  if (family === "combination" && !set.withInputs) {
    if (shouldStop()) throw new TrainingCancelled();
    Object.assign(fitted, fitCombination(observed, seasons, first, methodsOf(earlier)));
  } else {
    for (const method of FAMILY_METHODS[family]!) {
      if (shouldStop()) throw new TrainingCancelled();
      const fit = fitMethod(method, observed, seasons);
      if (fit) fitted.methods.push({ parameters: fit.parameters, start: first + fit.skipped });
    }
  }
  if (fitted.methods.length === 0) return null;
  const filled = filledGaps(observed);
  const mean = filled.reduce((sum, value) => sum + value, 0) / filled.length;
  const isNonNegative = numericValues(rows, target).every((value) => value >= 0);
  return {
    pipeline,
    learner: { kind: "series", ...fitted, ...(ignored.length > 0 && { ignored }), inputs, mean },
    floor: isNonNegative ? 0 : null,
  };
}

/** Returns the number of rows at the start without earlier inputs: their fills would count as observations. */
const warmUpRows = (pipeline: FeaturePipeline, { rowCount }: Table) =>
  Math.min(inputReach(pipeline), rowCount >> 1);

function methodsOf(earlier: EarlierFit | undefined) {
  if (earlier?.fitted.learner.kind !== "series") return undefined;
  return { methods: earlier.fitted.learner.methods, keeps: earlier.keeps };
}

/**
 * Fits the contribution of the inputs, which is 0 at their means, by ridge regression. If a regression of levels leaves a
 * wandering remainder, regresses each value without the part that is kept from the one before (Cochrane and Orcutt 1949), up
 * to changes on changes: wandering levels correlate by chance (Granger and Newbold 1974). A target that wanders with its
 * inputs (Engle and Granger 1987) keeps the regression of levels, as in R's auto.arima(). Lags of the target are without
 * history, so their coefficients are 0.
 *
 * @param sample draws the rows to learn from, given the number of rows; by default each row once
 * @returns null without an input that varies
 */
export function fitInputs(
  { data, known, target, signs: expected }: CandidateContext,
  pipeline: FeaturePipeline,
  ranges: readonly Range[],
  { alpha, sample }: { alpha?: number | undefined; sample?: ((count: number) => Int32Array) | undefined },
): LinearModel | null {
  const rows = withInputLags(pipeline, tableOf(data.table, ranges), known);
  const all = { from: 0, to: rows.rowCount, history: NO_HISTORY };
  const from = warmUpRows(pipeline, rows);
  const columns = trainingFeatures(pipeline, rows, all).columns.map((column) => column.subarray(from));
  if (columns.length === 0) return null;
  const targets = numericValues(rows, target).subarray(from);
  const options = { alpha, order: "time", signs: directionsOf(expected, pipeline, columns) } as const;
  const levels = trainRidge(columns, targets, options);
  const predicted = predictLinear(levels, columns);
  const remainder = targets.map((value, row) => value - predicted[row]!);
  const wanders = needsDifferences(remainder);
  const kept = wanders ? persistence(remainder) : 0;
  const regressors = wanders ? changesOfColumns(pipeline, columns, kept) : columns;
  const response = wanders ? changes(targets, kept) : targets;
  const drawn = sample?.(response.length);
  const regress = (rows: Float32Array[], values: Float64Array) => trainRidge(rows, values, options);
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
function changesOfColumns(
  pipeline: FeaturePipeline,
  columns: readonly Float32Array[],
  kept: number,
): Float32Array[] {
  const places = stepColumns(pipeline);
  const trends = new Set(pipeline.steps.flatMap(({ op }, at) => (op === "trend" ? [places[at]!] : [])));
  return columns.map((column, at) =>
    trends.has(at) ? new Float32Array(column.length - 1) : changes(column, kept),
  );
}

/** Returns each value minus the part of the one before that is kept. */
function changes<T extends Float32Array | Float64Array>(values: T, kept: number): T {
  return values.subarray(1).map((value, i) => value - kept * values[i]!) as T;
}

/** Returns the share of a value that the next one keeps, at most 1, corrected for its bias in short series (Kendall 1954). */
function persistence(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let product = 0;
  let square = 0;
  for (let i = 1; i < values.length; i++) {
    product += (values[i]! - mean) * (values[i - 1]! - mean);
    square += (values[i - 1]! - mean) ** 2;
  }
  const share = product / square || 0;
  return Math.max(0, Math.min(1, share + (1 + 3 * share) / values.length));
}
