import type { Classes } from "#lib/contract/classes";
import type { Classification } from "#lib/contract/classification";
import type { LeaderboardEntry } from "#lib/contract/leaderboard";
import type { Importance, TargetMetric } from "#lib/contract/models";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { gridIndexes, requiredColumns } from "#lib/engine/features/build-features";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { ModelState, NaiveForecast, UpstreamFile } from "#lib/engine/inference/file-schemas";
import { describeInput, type InputFeature } from "#lib/engine/inference/input-features";
import { FAMILY_METHODS, type Learner, modelNameOf } from "#lib/engine/inference/learner";
import { LEARNER_FILE, writeLearner } from "#lib/engine/inference/learner-file";
import { MEMBERS_FILE, writeMembers } from "#lib/engine/inference/members";
import { jsonFile, type Metrics, type ModelFiles, type ModelSchema } from "#lib/engine/inference/model-files";
import {
  OUT_OF_SAMPLE_FILE,
  type OutOfSample,
  writeOutOfSample,
} from "#lib/engine/inference/out-of-sample-file";
import type { RowPredictor } from "#lib/engine/inference/row-predictor";
import { storedCalibration } from "#lib/engine/intervals/calibration-file";
import type { CalibrationRows } from "#lib/engine/intervals/calibration-rows";
import { calibrate, widthsOf } from "#lib/engine/intervals/conformal";
import { type ErrorScale, errorScales, fitErrorScale } from "#lib/engine/intervals/error-scale";
import { isClearlySharper } from "#lib/engine/intervals/interval-score";
import { reliabilityOf, thresholdCounts } from "#lib/engine/learners/class-metrics";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { noiseOf } from "#lib/engine/series-methods/slope";
import { encodeTable } from "#lib/engine/table/codec";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import type { CandidateContext, Fitted } from "./candidate.ts";
import type { OutOfSampleRows } from "./collect-out-of-sample.ts";
import { ignoredWarnings, treatedRows, withoutIgnored } from "./ignored-values.ts";
import { inputEffects } from "./input-effects.ts";
import { inputsPipeline } from "./inputs-pipeline.ts";
import type { FittedModel, ModelSummary } from "./model-summary.ts";
import { predictorOf } from "./predict-fold.ts";
import { compareSlopes } from "./slope-difference.ts";
import type { Finalist } from "./train-finalists.ts";
import { boostingSettings } from "./train-learner.ts";
import { validationPreview } from "./validation-preview.ts";

/** Maximum number of rows in `history.bin`: the newest, for lags and for forecasts of inputs. */
const HISTORY_ROWS_MAX = 100_000;

type WriteRequest = Finalist & {
  context: CandidateContext;
  /** The chosen model, fitted on all rows. */
  finalModel: Fitted;
  /** Refits of the chosen model on samples of its rows. */
  members: Learner[];
  outOfSample: OutOfSampleRows;
  naive: NaiveForecast;
  targetMetric: TargetMetric;
  leaderboard: LeaderboardEntry[];
  request: TrainModel;
  baseline: Metrics;
};

/** Packs a model into its files and summarises it. */
export async function writeModel(request: WriteRequest): Promise<FittedModel> {
  const { context, finalModel, outOfSample, targetMetric, validated } = request;
  const { pipeline, floor } = finalModel;
  const predictor = predictorOf(context, finalModel);
  const { family } = request.tried;
  const { data, timestamp, target, timezone, upstream, horizon } = context;
  const { trainingRows: cut } = data;
  const inputFeatures = describeInputs(context, pipeline);
  const upstreamRead = upstream.filter(({ feature }) => inputFeatures.some(({ name }) => name === feature));
  const rows = selectColumns(
    data.table,
    data.table.columns
      .map(({ name }) => name)
      .filter((name) => name === target || inputFeatures.some((feature) => feature.name === name)),
  );
  const times = timestamp === null ? null : numericValues(data.table, timestamp);
  const validation = validationPreview(
    data.rowNumbers.subarray(cut),
    validated.actual,
    validated.predicted,
    times?.subarray(cut) ?? null,
    treatedRows(context),
  );
  const classes = context.classes ?? undefined;
  const { slopeDifference, continuesTrend } = await compareSlopes(context, finalModel);
  const settings = {
    order: data.order,
    expectedStepPower: expectedStepPower(predictor, family === "drift" || continuesTrend),
    slopeDifference,
    noise: context.known ? noiseOf(data.targets) : 0,
    floor,
  };
  const learnedErrors = withoutIgnored(context, outOfSample.calibration);
  const fittedScale = fitErrorScale(
    scalePipeline(context, pipeline),
    data.table,
    classes ? [] : learnedErrors,
    data.order,
  );
  const usual = classes ? null : calibrate(learnedErrors, settings);
  const ofScale = fittedScale && calibrate(fittedScale.origins, settings);
  const isScaled =
    usual !== null &&
    fittedScale !== null &&
    ofScale !== null &&
    isClearlySharper(
      { widths: ofScale, origins: fittedScale.origins },
      { widths: usual, origins: learnedErrors },
    );
  const scale = isScaled ? fittedScale.scale : undefined;
  const calibrated = (origins: readonly OutOfSample[]) =>
    classes
      ? null
      : calibrate(scale ? origins.map((rows) => scaled(scale, data.table, rows)) : origins, settings);
  const given = isScaled ? ofScale : usual;
  const generated = calibrated(outOfSample.generated);
  const byUpstream = calibrated(outOfSample.upstream);
  const calibration = given && {
    ...given,
    ...(scale && { scale }),
    ...(generated && { generated: widthsOf(generated) }),
    ...(byUpstream && { upstream: widthsOf(byUpstream) }),
  };
  const { train, validation: validationMetrics, baseline } = request;
  const trainingMetrics = { train, validation: validationMetrics, baseline };
  const summary: ModelSummary = {
    modelName: modelNameOf(request.tried, context.classes),
    algorithm: family,
    target,
    targetMetric,
    primaryMetricValue: validationMetrics[targetMetric] ?? null,
    trainingMetrics,
    inputFeatures,
    featureEngineering: {
      version: pipeline.version,
      steps: pipeline.steps,
      rowsBuildOnEachOther: predictor.rowsBuildOnEachOther,
      readsTarget: predictor.readsTarget,
    },
    importance: await importance(context, request.fitted),
    ...(!classes && { effects: await inputEffects(context, finalModel, request.members) }),
    ...predicts(request),
    validation,
    ...(classes && { classification: classification(classes, validated) }),
    leaderboard: request.leaderboard,
    resolvedRequest: resolvedRequest(request),
    warnings: ignoredWarnings(context),
    coverage: calibration?.coverage ?? null,
    coverageBySteps: calibration?.coverageBySteps ?? [],
    trainingRows: data.targets.length,
    validationRows: data.targets.length - cut,
    horizon,
    frequency: data.grid?.frequency ?? null,
  };
  const stored = sliceRows(rows, rows.rowCount - HISTORY_ROWS_MAX);
  const members = request.members.map((learner) => learnerFrom(context, { ...finalModel, learner }, stored));
  const extra = new Map([
    timestamp === null
      ? // Upstream models predict from held-out rows, so these keep the columns that only they read.
        (["heldout.bin", encodeTable(sliceRows(upstreamRead.length > 0 ? data.table : rows, cut))] as const)
      : (["history.bin", encodeTable(stored)] as const),
    ...(members.length > 0 ? [[MEMBERS_FILE, writeMembers(members)] as const] : []),
  ]);
  const onnx = await predictor.exportOnnx(target);
  const state: ModelState = {
    version: 2,
    modelName: summary.modelName,
    algorithm: family,
    target,
    targetMetric,
    timestamp,
    timezone,
    frequency: summary.frequency,
    grid: data.grid,
    horizon,
    lastTimestamp: times?.at(-1) ?? null,
    learnedUntil: times?.at(-1) ?? null,
    trainingRows: summary.trainingRows,
    validationRows: summary.validationRows,
    floor,
    ...(context.dropped.length > 0 && { ignored: context.dropped.map(({ time }) => time) }),
    ...(classes && { classes: [...classes] }),
    naive: request.naive,
    files: [LEARNER_FILE, OUT_OF_SAMPLE_FILE, ...extra.keys()],
    imported: null,
  };
  const files: ModelFiles = new Map([
    ...(onnx ? ([["model.onnx", onnx]] as const) : []),
    ["features.json", jsonFile(pipeline)],
    ["state.json", jsonFile(state)],
    ["schema.json", jsonFile({ version: 1, inputFeatures } satisfies ModelSchema)],
    ["metrics.json", jsonFile(metricsFile(summary))],
    ["calibration.json", jsonFile(storedCalibration(calibration))],
    [LEARNER_FILE, writeLearner(learnerFrom(context, finalModel, stored))],
    [OUT_OF_SAMPLE_FILE, writeOutOfSample(outOfSample, { rowNumbers: data.rowNumbers, times })],
    ["upstream.json", jsonFile({ version: 1, features: upstreamRead } satisfies UpstreamFile)],
    ...extra,
  ]);
  return { files, summary };
}

/** Returns the features of the model's columns by which errors may differ. A trend is left out, because it would widen later intervals without end. */
function scalePipeline(context: CandidateContext, ofModel: FeaturePipeline) {
  const read = new Set(requiredColumns(ofModel));
  const pipeline = inputsPipeline(
    context,
    context.data.inputs.filter((name) => read.has(name)),
  );
  return { ...pipeline, steps: pipeline.steps.filter(({ op }) => op !== "trend") };
}

function scaled(scale: ErrorScale, table: Table, rows: OutOfSample): CalibrationRows {
  const { from, actual, predicted, steps } = rows;
  const scales = errorScales(scale, sliceRows(table, from, from + actual.length), predicted, steps);
  return { ...rows, scales };
}

/** Returns whether predictions are means or medians; nothing for classes and quantiles. */
function predicts({ context, finalModel, tried }: WriteRequest): Pick<ModelSummary, "predicts"> {
  const { loss } = tried.hyperparameters;
  if (context.classes || loss === "quantile") return {};
  const { learner } = finalModel;
  // The factor of logarithms is 1 exactly if it was not estimated.
  const isMedian = learner.kind === "blend" && learner.parts.some(({ factor }) => factor === 1);
  return { predicts: loss === "absolute" || isMedian ? "median" : "mean" };
}

/** Evaluates predicted probabilities of the validation rows. */
function classification(classes: Classes, { actual, predicted }: OutOfSample): Classification {
  return {
    classes: [...classes],
    reliability: reliabilityOf(actual, predicted),
    thresholds: thresholdCounts(actual, predicted),
  };
}

/**
 * Returns the power of the steps ahead by which errors are expected to grow. Errors of a model that reads the target grow
 * like those of a random walk. A continued trend can change, so errors then grow faster.
 */
function expectedStepPower({ readsTarget }: RowPredictor, continuesTrend: boolean): number {
  if (!readsTarget) return 0;
  return continuesTrend ? 0.75 : 0.5;
}

/** Computes the importance of each input feature for the candidate that was fitted on the training rows only. */
function importance(context: CandidateContext, fitted: Fitted): Promise<Importance[]> {
  const { data, known, seed } = context;
  const { table, targets, trainingRows } = data;
  const sample = { table, targets, trainingRows, known, random: seededRandom(seed) };
  return predictorOf(context, fitted).importance(sample);
}

/** Returns the learner as before the first row that is stored with the model. */
function learnerFrom(context: CandidateContext, finalModel: Fitted, stored: Table): Learner {
  const { known } = context;
  if (known === null) return finalModel.learner;
  const [first] = gridIndexes(finalModel.pipeline, sliceRows(stored, 0, 1));
  return predictorOf(context, finalModel).continuedFrom(known, first!);
}

function resolvedRequest({ request, tried, context }: WriteRequest): TrainModel {
  const { family, set, hyperparameters } = tried;
  const { lags, rolling, withInputs = false, inputLags = { steps: 0 } } = set;
  const hasInputs = context.data.inputs.length > 0;
  // The naive forecast and the series methods find their seasons quickly, so the request omits them.
  const found = FAMILY_METHODS[family]
    ? hasInputs && { inputs: withInputs, ...(withInputs && { inputLags }) }
    : family !== "seasonal_naive" && { lags, rolling };
  return {
    ...request,
    algorithm: family,
    ...(found && { features: { ...request.features, ...found } }),
    hyperparameters:
      family === "gradient_boosting"
        ? { ...hyperparameters, ...boostingSettings(hyperparameters) }
        : hyperparameters,
  };
}

/** Removes run times, so that the same data and seed give the same files, and warnings, which the project stores. */
function metricsFile({ warnings: _, leaderboard, ...summary }: ModelSummary) {
  return { version: 1, ...summary, leaderboard: leaderboard.map(({ seconds: _, ...entry }) => entry) };
}

function describeInputs(context: CandidateContext, pipeline: FeaturePipeline): InputFeature[] {
  const { data, timestamp, upstream, missing, dateRules } = context;
  const training = data.table;
  const sources = new Map(upstream.map(({ feature, sourceProjectId }) => [feature, sourceProjectId]));
  const read = new Set(requiredColumns(pipeline));
  const time =
    timestamp === null ? [] : [describeInput(training, timestamp, "timestamp", { missingAllowed: false })];
  const inputs = data.inputs
    .filter((name) => read.has(name))
    .map((name) =>
      describeInput(training, name, sources.has(name) ? "upstream" : "input", {
        missingAllowed: missing.has(name),
        sourceProjectId: sources.get(name),
        dateRule: dateRules.get(name),
      }),
    );
  return [...time, ...inputs];
}
