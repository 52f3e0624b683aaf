import type { Table } from "#lib/contract/table";
import { requiredColumns } from "#lib/ml/features/build-features";
import type { FeaturePipeline } from "#lib/ml/features/pipeline";
import { calibrate } from "#lib/ml/intervals/conformal";
import { encodeTable } from "#lib/ml/table/codec";
import { numericValues, selectColumns } from "#lib/ml/table/columns";
import { sliceRows } from "#lib/ml/table/rows";
import { writeExplain } from "./explain-file.ts";
import { featureImportance } from "./feature-importance.ts";
import { describeInput, type InputFeature } from "./input-features.ts";
import { type CandidateContext, FAMILY_NAMES } from "./learner.ts";
import {
  jsonFile,
  type Metrics,
  type ModelFiles,
  type ModelSchema,
  type ModelState,
  type TargetMetric,
  type UpstreamFile,
} from "./model-files.ts";
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
  targetMetric: TargetMetric;
  leaderboard: LeaderboardEntry[];
  request: TrainRequest;
  baseline: Metrics;
};

/** Packs a validated model into its files, and sums it up. */
export function writeModel(request: WriteRequest): FittedModel {
  const { context, pipeline, learner, evaluation, targetMetric } = request;
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
    data.targets.subarray(cut),
    evaluation.predictions.subarray(cut),
    times?.subarray(cut) ?? null,
  );
  const calibration = calibrate(
    {
      actual: data.targets.subarray(cut),
      predicted: evaluation.predictions.subarray(cut),
      steps: evaluation.steps?.subarray(cut) ?? null,
    },
    INTERVAL_LEVEL,
    timestamp === null
      ? { order: "random", floor: evaluation.floor }
      : { order: "time", floor: evaluation.floor, backTests: request.tried.backTests },
  );
  const trainingMetrics = {
    train: evaluation.train,
    validation: evaluation.validation,
    baseline: request.baseline,
  };
  const summary: ModelSummary = {
    modelName: FAMILY_NAMES[family],
    algorithm: family,
    target,
    targetMetric,
    primaryMetricValue: evaluation.validation[targetMetric],
    trainingMetrics,
    inputFeatures,
    featureEngineering: { version: pipeline.version, steps: pipeline.steps },
    importance: featureImportance(context, pipeline, learner),
    validation,
    leaderboard: request.leaderboard,
    resolvedRequest: resolvedRequest(request),
    coverage: calibration?.coverage ?? null,
    trainingRows: cut,
    validationRows: data.targets.length - cut,
    horizon,
    frequency: data.grid?.frequency ?? null,
  };
  const extra = timestamp === null ? heldOutFile(rows, cut) : historyFile(rows);
  const state: ModelState = {
    version: 1,
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
    trainingRows: cut,
    validationRows: summary.validationRows,
    files: ["explain.json", ...extra.keys()],
    imported: null,
  };
  const files: ModelFiles = new Map([
    ["model.onnx", evaluation.bytes],
    ["features.json", jsonFile(pipeline)],
    ["state.json", jsonFile(state)],
    ["schema.json", jsonFile({ version: 1, inputFeatures } satisfies ModelSchema)],
    ["metrics.json", jsonFile({ version: 1, ...summary, leaderboard: withoutTimes(request.leaderboard) })],
    ["calibration.json", jsonFile(calibration)],
    ["explain.json", writeExplain(learner)],
    ["upstream.json", jsonFile({ version: 1, features: upstream } satisfies UpstreamFile)],
    ...extra,
  ]);
  return { files, summary };
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
  const training = sliceRows(data.table, 0, data.trainingRows);
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
