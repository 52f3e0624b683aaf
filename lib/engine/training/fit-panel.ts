import { counted } from "#lib/contract/counted";
import type { TrainModel } from "#lib/contract/train-model";
import { stepMs } from "#lib/engine/features/frequency";
import { publicHolidays, UnknownPlace } from "#lib/engine/features/holiday-days";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { panelPipeline } from "#lib/engine/panel-model/pipeline";
import { takeRows } from "#lib/engine/table/rows";
import { fitGlobal, planGlobal } from "./fit-global.ts";
import type { FitInput } from "./fit-input.ts";
import {
  type FittedPanel,
  gatherPanel,
  type PanelSettings,
  poolOf,
  SAMPLED_SERIES_MAX,
} from "./fit-panel-learner.ts";
import { fitReconciliation, testTotals } from "./fit-reconciliation.ts";
import { groupWeights, mixed } from "./group-weights.ts";
import type { FittedModel } from "./model-summary.ts";
import { backTestPanel, originsOf, predictionsOf } from "./panel-backtests.ts";
import { panelColumns } from "./panel-columns.ts";
import { ignoredRows, withoutIgnored } from "./panel-ignored.ts";
import { calibratePanel, typicalErrors } from "./panel-intervals.ts";
import { type FitOfParts, fitsOfPanel } from "./panel-parts.ts";
import { type PanelData, preparePanel } from "./prepare-panel.ts";
import { remaindersAhead } from "./remainders-ahead.ts";
import { seasonLengths } from "./seasonality.ts";
import type { FitStage } from "./train-finalists.ts";
import { HISTORY_ROWS_MAX, writePanelModel } from "./write-panel.ts";

type PanelOptions = {
  onProgress: (fraction: number, stage: FitStage, message: string) => void;
  shouldStop: () => boolean;
  /** Fits parts of the series elsewhere; undefined: all are fitted here. */
  fitParts?: FitOfParts | undefined;
};

/** Metrics that medians minimise. */
const MEDIANS: ReadonlySet<string> = new Set(["mae", "mape"]);
/** Steps of the calendar's longest season that blocks of rows hold at least. */
const CYCLE_MIN = 26;

/**
 * Trains one model of many series. Back-tests from common origins measure it, and calibrate its intervals. Then it is fitted
 * on all rows.
 *
 * @throws TrainingImpossible with the reason; TrainingCancelled if `shouldStop` returns true
 */
export async function fitPanel(
  input: FitInput,
  { onProgress, shouldStop, fitParts }: PanelOptions,
): Promise<FittedModel> {
  const { request = {}, timezone = "UTC" } = input;
  onProgress(0, "prepare", "Ordering the rows by series");
  const data = preparePanel(input);
  const series = counted(data.index.values.length, "series", "series");
  const link = data.targets.every((value) => value >= 0) ? "log" : "identity";
  const seasons = seasonLengths(data.grid.frequency);
  const pipeline = await pipelineOf(data, input, timezone);
  const settings: PanelSettings = {
    pipeline,
    columns: panelColumns(data, pipeline),
    link,
    season: seasons[0] ?? 1,
    cycle: Math.max(CYCLE_MIN, seasons.at(-1) ?? 1),
    seasons,
    reach: Math.floor(HISTORY_ROWS_MAX / data.index.values.length),
    loss: MEDIANS.has(request.targetMetric ?? "rmse") ? "absolute" : "squared",
    ignoresOutliers: request.outliers !== "keep",
    signs: request.expectedEffects ?? {},
    seed: request.seed ?? 1,
    shouldStop,
    report: () => {},
  };
  const reporting = (from: number, to: number, stage: FitStage, message: string): PanelSettings => ({
    ...settings,
    report: (fraction, fitted) => {
      const done = fitted === undefined ? "" : `: ${fitted.toLocaleString("en")} fitted`;
      onProgress(from + (to - from) * fraction, stage, message + done);
    },
  });
  const untils = [originsOf(data)[0]!, data.end];
  const pools = untils.map((until) => poolOf(data, until, settings));
  const fitsOf = await fitsOfPanel(data, settings, { untils, pools, fitParts });
  const gather = (fit: 0 | 1, reported: PanelSettings) =>
    gatherPanel(data, untils[fit]!, reported, { pool: pools[fit]!, fits: fitsOf(fit) });
  const testsOf = `Back-tests of ${series}`;
  const learned = await gather(0, reporting(0.05, 0.41, "select", testsOf));
  const tests = backTestPanel(data, learned, reporting(0.41, 0.5, "select", testsOf));
  const { groups, weights } = groupWeights(data, tests);
  const remainders = mixed(tests, groups, weights);
  const tested = testTotals(data, tests, remainders, settings);
  // The final fit needs the memory.
  tests.fitted.remainders.length = 0;
  const fitted = await gather(1, reporting(0.5, 0.85, "refit", `Fitting ${series} on all rows`));
  const { learner } = fitted;
  learner.groups = groups;
  learner.weights = weights;
  if (weights.some((weight) => weight > 0)) {
    const trees = reporting(0.85, 0.9, "refit", "Fitting trees over all series");
    learner.global = fitGlobal(data, fitted, planGlobal(data, fitted, settings), trees);
  }
  if (tested)
    learner.reconciliation = fitReconciliation(
      data,
      fitted,
      tested,
      settings,
      nextSteps(data, fitted, settings),
    );
  onProgress(0.9, "calibrate", "Calibrating intervals");
  const floor = link === "log" ? 0 : null;
  // Corrections were chosen by these back-tests, so their errors would be too small for intervals.
  const predictions = predictionsOf(tests, remainders);
  const ignored = ignoredRows(data, learner);
  const believed = withoutIgnored(tests, ignored);
  const errors = typicalErrors(believed, tests.fitted.learner.errors, remainders);
  const { calibration, coverage } = calibratePanel(data, believed, {
    predictions,
    errors,
    seed: settings.seed,
    floor,
  });
  learner.errors = typicalErrors(believed, learner.errors, remainders);
  onProgress(0.95, "write", "Packing the model");
  const written = writePanelModel({
    input,
    request,
    data,
    settings,
    tests,
    fitted,
    ignored,
    predictions: tested ? predictionsOf(tests, tested.corrected) : predictions,
    calibration,
    coverage,
    floor,
  });
  onProgress(1, "write", "Done");
  return written;
}

/** Returns a function that predicts the remainders of a series at the steps after its rows. */
function nextSteps(data: PanelData, fitted: FittedPanel, { pipeline, ...settings }: PanelSettings) {
  const { learner, remainders } = fitted;
  const plan = planGlobal(data, fitted, settings);
  const ahead = remaindersAhead(data, learner, learner.global, { plan, pipeline });
  return (place: number): Float64Array => {
    const observed = remainders[place]!;
    const end = observed.firstIndex + observed.values.length;
    const { local, global } = ahead(place, observed, {
      indexes: Float64Array.from({ length: data.horizon }, (_, step) => end + step),
      origins: new Float64Array(data.horizon).fill(end),
    });
    const weight = learner.weights[learner.groups[place]!]!;
    return local.map((value, step) => weight * global[step]! + (1 - weight) * value);
  };
}

async function pipelineOf(data: PanelData, { request = {}, target, timestamp }: FitInput, timezone: string) {
  const places = seededRandom(request.seed ?? 1).sample(
    data.index.values.length,
    Math.min(SAMPLED_SERIES_MAX, data.index.values.length),
  );
  const rows = Array.from(places).flatMap((place) =>
    Array.from({ length: data.starts[place + 1]! - data.starts[place]! }, (_, i) => data.starts[place]! + i),
  );
  return panelPipeline({
    table: takeRows(data.table, rows),
    ofRow: Int32Array.from(rows, (row) => data.index.ofRow[row]!),
    target,
    targets: Float64Array.from(rows, (row) => data.targets[row]!),
    timestamp: timestamp!,
    timezone,
    grid: data.grid,
    inputs: request.features?.inputs === false ? [] : data.inputs,
    times: data.distinct,
    calendar: (request.features?.calendar ?? true) && stepMs(data.grid.frequency) < 300 * 86_400_000,
    holidays: await holidaysOf(request, data, timezone),
  });
}

async function holidaysOf({ features }: TrainModel, { distinct }: PanelData, timezone: string) {
  const { holidays } = features ?? {};
  if (!holidays) return undefined;
  const days = await publicHolidays(holidays, distinct, timezone).catch((cause) => {
    throw cause instanceof UnknownPlace ? new TrainingImpossible(cause.message, { cause }) : cause;
  });
  return { country: holidays.country, region: holidays.region ?? null, days };
}
