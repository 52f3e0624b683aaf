import type { LeaderboardEntry } from "#lib/contract/leaderboard";
import type { TrainModel } from "#lib/contract/train-model";
import { requiredColumns } from "#lib/engine/features/build-features";
import type { ModelState, UpstreamFile } from "#lib/engine/inference/file-schemas";
import { describeInput, type InputFeature } from "#lib/engine/inference/input-features";
import { LEARNER_FILE } from "#lib/engine/inference/learner-file";
import { jsonFile, type Metrics, type ModelFiles, type ModelSchema } from "#lib/engine/inference/model-files";
import { OUT_OF_SAMPLE_FILE } from "#lib/engine/inference/out-of-sample-file";
import { writePanel } from "#lib/engine/inference/panel-file";
import { SERIES_METRICS_FILE } from "#lib/engine/inference/series-metrics-file";
import { storedCalibration } from "#lib/engine/intervals/calibration-file";
import type { Calibration } from "#lib/engine/intervals/conformal";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import type { PanelLearner } from "#lib/engine/panel-model/panel-learner";
import { startCombination } from "#lib/engine/series-methods/combination";
import { encodeTable } from "#lib/engine/table/codec";
import { findColumn, selectColumns } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import type { FitInput } from "./fit-input.ts";
import type { FittedPanel, PanelSettings } from "./fit-panel-learner.ts";
import { warningsOf } from "./ignored-values.ts";
import type { FittedModel, ModelSummary } from "./model-summary.ts";
import type { PanelBackTests } from "./panel-backtests.ts";
import { effectsBySeries, panelEffects } from "./panel-effects.ts";
import { panelImportance } from "./panel-importance.ts";
import { panelMetrics } from "./panel-metrics.ts";
import { outOfSampleFile } from "./panel-out-of-sample.ts";
import type { PanelData } from "./prepare-panel.ts";
import { validationPreview } from "./validation-preview.ts";

/** Maximum number of rows in `history.bin`: the newest of each series. */
export const HISTORY_ROWS_MAX = 2_000_000;

type WriteRequest = {
  input: FitInput;
  request: TrainModel;
  data: PanelData;
  settings: PanelSettings;
  tests: PanelBackTests;
  fitted: FittedPanel;
  /** Rows whose values are treated as gaps. */
  ignored: readonly number[];
  /** Predictions of the back-tests. */
  predictions: Float64Array;
  calibration: Calibration | null;
  /** Coverage of the intervals by level, for `panelMetrics`. */
  coverage: readonly number[] | null;
  floor: number | null;
};

/** Packs a model of many series into its files and summarises it. */
export function writePanelModel(request: WriteRequest): FittedModel {
  const { input, data, settings, tests, fitted, predictions, calibration, coverage, floor } = request;
  const { target, timestamp, timezone = "UTC" } = input;
  const { pipeline, season } = settings;
  const { learner } = fitted;
  const inputFeatures = describeInputs(request);
  const last = tests.origins.at(-1)!;
  const newest = Int32Array.from(tests.ofOrigin.keys()).filter((at) => tests.ofOrigin[at] === last);
  const pick = (values: Float64Array) => Float64Array.from(newest, (at) => values[at]!);
  const measured = { actual: pick(tests.actual), predicted: pick(predictions), naive: pick(tests.naive) };
  const validation: Metrics = regressionMetrics(measured.actual, measured.predicted);
  const baseline: Metrics = regressionMetrics(measured.actual, measured.naive);
  const targetMetric = request.request.targetMetric ?? "rmse";
  const measuredSeries = panelMetrics(data, tests, predictions, { season, coverage });
  const panel = { ...measuredSeries.panel, effects: effectsBySeries(data, fitted, settings) };
  const summary: ModelSummary = {
    modelName: "Panel",
    algorithm: "panel",
    target,
    targetMetric,
    primaryMetricValue: validation[targetMetric] ?? null,
    trainingMetrics: { train: null, validation, baseline },
    inputFeatures,
    featureEngineering: {
      version: pipeline.version,
      steps: pipeline.steps,
      rowsBuildOnEachOther: false,
      readsTarget: true,
    },
    importance: panelImportance(data, learner, settings),
    effects: panelEffects(fitted, settings),
    predicts: "mean",
    validation: totalPreview(data, tests, predictions, last),
    leaderboard: leaderboardOf(request, { validation, baseline }),
    resolvedRequest: request.request,
    warnings: warningsOf(
      target,
      request.ignored.map((row) => ({ number: data.rowNumbers[row]!, value: data.targets[row]! })),
    ),
    coverage: calibration?.coverage ?? null,
    coverageBySteps: calibration?.coverageBySteps ?? [],
    trainingRows: data.targets.length,
    validationRows: newest.length,
    horizon: data.horizon,
    frequency: data.grid.frequency,
    panel,
  };
  const stored = storedRows(data, inputFeatures, target);
  const state: ModelState = {
    version: 2,
    modelName: summary.modelName,
    algorithm: "panel",
    target,
    targetMetric,
    timestamp,
    timezone,
    frequency: data.grid.frequency,
    grid: data.grid,
    horizon: data.horizon,
    lastTimestamp: data.distinct.at(-1)!,
    learnedUntil: data.distinct.at(-1)!,
    trainingRows: summary.trainingRows,
    validationRows: summary.validationRows,
    floor,
    series: { columns: [...data.index.columns], levels: data.levels },
    files: [LEARNER_FILE, OUT_OF_SAMPLE_FILE, SERIES_METRICS_FILE, "history.bin"],
    imported: null,
  };
  const { warnings: _, leaderboard, ...metrics } = summary;
  const withoutTimes = leaderboard.map(({ seconds: _, ...entry }) => entry);
  const files: ModelFiles = new Map([
    ["features.json", jsonFile(pipeline)],
    ["state.json", jsonFile(state)],
    ["schema.json", jsonFile({ version: 1, inputFeatures } satisfies ModelSchema)],
    ["metrics.json", jsonFile({ version: 1, ...metrics, leaderboard: withoutTimes })],
    ["calibration.json", jsonFile(storedCalibration(calibration))],
    [LEARNER_FILE, writePanel(startedAt(learner, fitted, stored.firstCells))],
    [OUT_OF_SAMPLE_FILE, outOfSampleFile(data, tests, predictions, last)],
    [SERIES_METRICS_FILE, jsonFile(measuredSeries.ofSeries)],
    [
      "upstream.json",
      jsonFile({ version: 1, features: upstreamOf(request, inputFeatures) } satisfies UpstreamFile),
    ],
    ["history.bin", encodeTable(stored.table)],
  ]);
  return { files, summary };
}

/** Returns the newest rows of each series, and the grid index of the first one of each. */
function storedRows(data: PanelData, features: readonly InputFeature[], target: string) {
  const count = data.index.values.length;
  const perSeries = Math.floor(HISTORY_ROWS_MAX / count);
  const columns = selectColumns(data.table, [...features.map(({ name }) => name), target]);
  const from = Int32Array.from({ length: count }, (_, place) =>
    Math.max(data.starts[place]!, data.starts[place + 1]! - perSeries),
  );
  const firstCells = Int32Array.from(from, (row) => data.cells[row] ?? 0);
  if (from.every((row, place) => row === data.starts[place])) return { table: columns, firstCells };
  const kept = new Int32Array(from.reduce((sum, row, place) => sum + data.starts[place + 1]! - row, 0));
  let at = 0;
  from.forEach((first, place) => {
    for (let row = first; row < data.starts[place + 1]!; row++) kept[at++] = row;
  });
  return { table: takeRows(columns, kept), firstCells };
}

/** Returns the learner with its local methods as before the first row that is stored of each series. */
function startedAt(learner: PanelLearner, { remainders }: FittedPanel, firstCells: Int32Array): PanelLearner {
  const local = learner.local.map((combined, place) => {
    if (combined.methods.every(({ start }) => start >= firstCells[place]!)) return combined;
    const combination = startCombination(combined);
    combination.advance(remainders[place]!, firstCells[place]!);
    return { ...combined, methods: combination.snapshot() };
  });
  return { ...learner, local };
}

function describeInputs({ input, data, settings }: WriteRequest): InputFeature[] {
  const { timestamp, upstream = [] } = input;
  const sources = new Map(upstream.map(({ column, sourceProjectId }) => [column.name, sourceProjectId]));
  const read = new Set([...requiredColumns(settings.pipeline), ...data.index.columns, ...data.levels]);
  const described = (name: string, role: InputFeature["role"]) => {
    const column = findColumn(data.table, name)!;
    const missing = column.type === "category" ? column.codes.includes(-1) : column.values.some(Number.isNaN);
    const sourceProjectId = sources.get(name);
    return describeInput(data.table, name, role, { missingAllowed: missing, sourceProjectId });
  };
  const inputs = data.table.columns
    .map(({ name }) => name)
    .filter((name) => read.has(name) && name !== timestamp && name !== input.target);
  return [
    { ...described(timestamp!, "timestamp"), missingAllowed: false },
    ...inputs.map((name) => described(name, sources.has(name) ? "upstream" : "input")),
  ];
}

function upstreamOf({ input }: WriteRequest, features: readonly InputFeature[]): UpstreamFile["features"] {
  return (input.upstream ?? [])
    .filter(({ column }) => features.some(({ name }) => name === column.name))
    .map(({ column, sourceProjectId }) => ({ feature: column.name, sourceProjectId }));
}

/** Returns actual and predicted totals over all series at each time of the newest origin. */
function totalPreview(data: PanelData, tests: PanelBackTests, predictions: Float64Array, origin: number) {
  const byTime = new Map<number, { actual: number; predicted: number; row: number }>();
  tests.rows.forEach((row, at) => {
    if (tests.ofOrigin[at] !== origin) return;
    const time = data.times[row]!;
    const sum = byTime.get(time) ?? { actual: 0, predicted: 0, row };
    sum.actual += tests.actual[at]!;
    sum.predicted += predictions[at]!;
    byTime.set(time, sum);
  });
  const times = Float64Array.from(byTime.keys()).sort();
  const sums = Array.from(times, (time) => byTime.get(time)!);
  return validationPreview(
    Int32Array.from(sums, ({ row }) => data.rowNumbers[row]!),
    Float64Array.from(sums, ({ actual }) => actual),
    Float64Array.from(sums, ({ predicted }) => predicted),
    times,
  );
}

function leaderboardOf(
  { tests, predictions, request: { targetMetric: metric = "rmse" } }: WriteRequest,
  { validation, baseline }: { validation: Metrics; baseline: Metrics },
): LeaderboardEntry[] {
  const backTest = (predicted: Float64Array) => {
    const folds = tests.origins.map((origin) => {
      const some = Int32Array.from(tests.ofOrigin.keys()).filter((at) => tests.ofOrigin[at] === origin);
      const pick = (values: Float64Array) => Float64Array.from(some, (at) => values[at]!);
      return regressionMetrics(pick(tests.actual), pick(predicted))[metric as "rmse"] ?? null;
    });
    const known = folds.filter((value) => value !== null);
    const mean = known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
    const spread =
      mean === null
        ? null
        : Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length);
    return { metric, folds, mean, spread };
  };
  return [
    {
      name: "Panel",
      algorithm: "panel",
      features: "inputs, calendar and past of all series",
      mode: "direct",
      chosen: true,
      backTest: backTest(predictions),
      validation,
    },
    {
      name: "Baseline: seasonal naive",
      algorithm: "baseline",
      features: "none",
      chosen: false,
      backTest: backTest(tests.naive),
      validation: baseline,
    },
  ];
}
