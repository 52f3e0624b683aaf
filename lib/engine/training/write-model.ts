import type { Table } from "#lib/contract/table";
import { requiredColumns } from "#lib/engine/features/build-features";
import { type FeaturePipeline, shortestTargetShift } from "#lib/engine/features/pipeline";
import { describeInput, type InputFeature } from "#lib/engine/inference/input-features";
import { LEARNER_FILE, writeLearner } from "#lib/engine/inference/learner-file";
import {
  jsonFile,
  type Metrics,
  type ModelFiles,
  type ModelSchema,
  type ModelState,
  type TargetMetric,
  type UpstreamFile,
} from "#lib/engine/inference/model-files";
import { OUT_OF_SAMPLE_FILE, writeOutOfSample } from "#lib/engine/inference/out-of-sample-file";
import { calibrate } from "#lib/engine/intervals/conformal";
import { linearToOnnx, treesToOnnx } from "#lib/engine/onnx/write-model";
import { encodeTable } from "#lib/engine/table/codec";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import type { OutOfSampleRows } from "#lib/ml/model/collect-out-of-sample";
import { featureImportance } from "#lib/ml/model/feature-importance";
import { type CandidateContext, FAMILY_NAMES, type Family } from "#lib/ml/model/learner";
import type { NaiveForecast } from "./baseline.ts";
import type { Fitted } from "./fit-candidate.ts";
import type { FittedModel, LeaderboardEntry, ModelSummary } from "./model-summary.ts";
import type { Finalist } from "./train-finalists.ts";
import { boostingSettings } from "./train-learner.ts";
import type { TrainRequest } from "./train-request.ts";
import { validationPreview } from "./validation-preview.ts";

export const INTERVAL_LEVEL = 0.9;

/** The newest rows that are kept with a model: for its lags, and for forecasts of its inputs. */
const HISTORY_ROWS_MAX = 100_000;

export type WriteRequest = Finalist & {
  context: CandidateContext;
  /** Fitted on all rows: the model that predicts. */
  kept: Fitted;
  outOfSample: OutOfSampleRows;
  naive: NaiveForecast;
  targetMetric: TargetMetric;
  leaderboard: LeaderboardEntry[];
  request: TrainRequest;
  baseline: Metrics;
};

/** Packs a model into its files, and sums it up. */
export function writeModel(request: WriteRequest): FittedModel {
  const { context, kept, outOfSample, targetMetric, validated } = request;
  const { pipeline, learner, floor } = kept;
  const { family } = request.tried;
  const { data, timestamp, target, timezone, upstream, horizon } = context;
  const { trainingRows: cut } = data;
  const inputFeatures = describeInputs(context, pipeline);
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
  );
  const calibration = calibrate(outOfSample.calibration, INTERVAL_LEVEL, {
    order: data.order,
    stepPower: expectedGrowth(family, pipeline),
    floor,
  });
  const { train, validation: validationMetrics, baseline } = request;
  const trainingMetrics = { train, validation: validationMetrics, baseline };
  const summary: ModelSummary = {
    modelName: FAMILY_NAMES[family],
    algorithm: family,
    target,
    targetMetric,
    primaryMetricValue: validationMetrics[targetMetric],
    trainingMetrics,
    inputFeatures,
    featureEngineering: { version: pipeline.version, steps: pipeline.steps },
    importance: featureImportance(context, request.fitted),
    validation,
    leaderboard: request.leaderboard,
    resolvedRequest: resolvedRequest(request),
    coverage: calibration?.coverage ?? null,
    trainingRows: data.targets.length,
    validationRows: data.targets.length - cut,
    horizon,
    frequency: data.grid?.frequency ?? null,
  };
  const extra = timestamp === null ? heldOutFile(rows, cut) : historyFile(rows);
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
    naive: request.naive,
    files: [LEARNER_FILE, OUT_OF_SAMPLE_FILE, ...extra.keys()],
    imported: null,
  };
  const files: ModelFiles = new Map([
    ["model.onnx", exportOnnx(kept, target)],
    ["features.json", jsonFile(pipeline)],
    ["state.json", jsonFile(state)],
    ["schema.json", jsonFile({ version: 1, inputFeatures } satisfies ModelSchema)],
    ["metrics.json", jsonFile({ version: 1, ...summary, leaderboard: withoutTimes(request.leaderboard) })],
    ["calibration.json", jsonFile(calibration)],
    [LEARNER_FILE, writeLearner(learner)],
    [OUT_OF_SAMPLE_FILE, writeOutOfSample(outOfSample, { rowNumbers: data.rowNumbers, times })],
    ["upstream.json", jsonFile({ version: 1, features: upstream } satisfies UpstreamFile)],
    ...extra,
  ]);
  return { files, summary };
}

/**
 * The power of the step by which errors are expected to grow. Of a model that looks back at its target like those of a
 * random walk; of a drift, which may change, faster.
 */
function expectedGrowth(family: Family, pipeline: FeaturePipeline): number {
  if (shortestTargetShift(pipeline) === null) return 0;
  return family === "drift" ? 0.75 : 0.5;
}

/** The model for other tools: the same up to rounding to 32 bits. */
function exportOnnx({ learner, floor }: Fitted, target: string): Uint8Array {
  const link = floor === 0 ? "nonNegative" : "none";
  return learner.kind === "trees"
    ? treesToOnnx(learner, { target }, link)
    : linearToOnnx(learner, { target }, link);
}

function resolvedRequest({ request, tried }: WriteRequest): TrainRequest {
  const { family, set, hyperparameters } = tried;
  const { lags, rolling } = set;
  return {
    ...request,
    algorithm: family,
    // The naive forecast's lag is its season, which is found in a moment.
    ...(family !== "seasonal_naive" && { features: { ...request.features, lags, rolling } }),
    hyperparameters:
      family === "gradient_boosting"
        ? { ...hyperparameters, ...boostingSettings(hyperparameters) }
        : hyperparameters,
  };
}

/** The same data and seed give the same files, however long it took. */
function withoutTimes(entries: LeaderboardEntry[]): LeaderboardEntry[] {
  return entries.map(({ seconds: _, ...entry }) => entry);
}

function describeInputs(context: CandidateContext, pipeline: FeaturePipeline): InputFeature[] {
  const { data, timestamp, upstream, missing } = context;
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
      }),
    );
  return [...time, ...inputs];
}

function historyFile(rows: Table): ModelFiles {
  return new Map([["history.bin", encodeTable(sliceRows(rows, rows.rowCount - HISTORY_ROWS_MAX))]]);
}

function heldOutFile(rows: Table, cut: number): ModelFiles {
  return new Map([["heldout.bin", encodeTable(sliceRows(rows, cut))]]);
}
