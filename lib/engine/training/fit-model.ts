import type { Classes } from "#lib/contract/classes";
import { counted } from "#lib/contract/counted";
import { stepsText } from "#lib/contract/duration-text";
import { limits } from "#lib/contract/limits";
import type { Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { findDateRules } from "#lib/engine/features/find-date-rules";
import { type ExtraFeatures, hasMissing } from "#lib/engine/features/fit-pipeline";
import { defaultHorizon } from "#lib/engine/features/frequency";
import { createGrid } from "#lib/engine/features/grid";
import { publicHolidays, UnknownPlace } from "#lib/engine/features/holiday-days";
import { type KnownSeries, knownSeries } from "#lib/engine/forecasting/known-series";
import { modelNameOf } from "#lib/engine/inference/learner";
import { classMetrics } from "#lib/engine/learners/class-metrics";
import { regressionMetrics } from "#lib/engine/learners/metrics";
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { classesOfColumn, encodeClasses } from "#lib/engine/table/class-values";
import { findColumn, numericValues, selectColumns, withColumn } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { baseline } from "./baseline.ts";
import type { CandidateContext } from "./candidate.ts";
import { collectOutOfSample } from "./collect-out-of-sample.ts";
import { droppedRows, withoutTargets } from "./contradicting-rows.ts";
import type { FitInput } from "./fit-input.ts";
import { fitMembers } from "./fit-members.ts";
import { fitPanel } from "./fit-panel.ts";
import { fixedProcedure } from "./fixed-procedure.ts";
import { ignoredCells } from "./ignored-values.ts";
import { leaderboard } from "./leaderboard.ts";
import { logContext } from "./log-context.ts";
import { measureUnselected } from "./measure-unselected.ts";
import type { FittedModel } from "./model-summary.ts";
import type { FitOfParts } from "./panel-parts.ts";
import { type PreparedData, prepareData } from "./prepare-data.ts";
import {
  blendsFamilies,
  classFamilies,
  regressionSets,
  requestedFamilies,
  requestedSets,
  usesFixedProcedure,
} from "./requested-candidates.ts";
import { searchCandidates, withoutSelection } from "./search-candidates.ts";
import { naiveSeasons } from "./seasonality.ts";
import { unsuitableSettings } from "./task-rules.ts";
import {
  convertFutureLagError,
  type Finalist,
  type FitStage,
  refit,
  trainFinalists,
} from "./train-finalists.ts";
import { writeModel } from "./write-model.ts";

type FitOptions = {
  onProgress?: ((fraction: number, stage: FitStage, message: string) => void) | undefined;
  shouldStop?: (() => boolean) | undefined;
  /** Fits parts of many series elsewhere. */
  fitParts?: FitOfParts | undefined;
};

/**
 * Trains, validates and packs a model. Back-tests inside the training rows choose the model. The validation rows (the last
 * `fraction` of rows in time order, otherwise of shuffled rows) do not influence the choice: they measure the procedure.
 * Then the chosen settings are fitted on all rows. Back-test and validation metrics are of predictions by models that had
 * not seen the rows; `train` is in-sample.
 *
 * @throws TrainingImpossible with the reason; TrainingCancelled if `shouldStop` returns true
 */
export async function fitModel(input: FitInput, options: FitOptions = {}): Promise<FittedModel> {
  const { request = {}, target, timestamp, timezone = "UTC", upstream = [] } = input;
  const onProgress = options.onProgress ?? (() => {});
  const shouldStop = options.shouldStop ?? (() => false);
  const joined = upstream.reduce((table, { column }) => withColumn(table, column), input.table);
  if (input.series && input.series.length > 0)
    return fitPanel({ ...input, table: joined }, { onProgress, shouldStop, fitParts: options.fitParts });
  onProgress(0, "prepare", "Ordering the rows and looking for a frequency");
  const classes = checkedClasses(input);
  const targetMetric = request.targetMetric ?? (classes ? "logLoss" : "rmse");
  const columns = request.features?.inputs === false ? withoutInputs(joined, target, timestamp) : joined;
  const table = classes ? encodeClasses(columns, target, classes) : columns;
  const prepare = (some: Table) => {
    const data = prepareData({
      table: some,
      target,
      timestamp,
      frequency: input.frequency ?? null,
      timezone,
      validationFraction: request.validation?.fraction ?? 0.2,
      order: request.validation?.order,
      seed: request.seed ?? 1,
    });
    const known = timestamp !== null && classes === null ? seriesOf(data, { timestamp, target }) : null;
    return { data, known };
  };
  const calendar = request.features?.calendar ?? true;
  const upstreamFeatures = upstream.map(({ column, sourceProjectId }) => ({
    feature: column.name,
    sourceProjectId,
  }));
  const prepared = prepare(table);
  const dropped = droppedRows(
    {
      ...prepared,
      target,
      timestamp,
      timezone,
      calendar,
      upstream: upstreamFeatures,
      missing: imputedColumns(prepared.data.table, request),
    },
    request,
  );
  const { data, known } = dropped.length > 0 ? prepare(withoutTargets(table, target, dropped)) : prepared;
  const horizon = chooseHorizon(request.horizon, data, known);
  const extra = await extraFeatures(request, data, timestamp, timezone);
  const levels: CandidateContext = {
    data,
    known,
    classes,
    timestamp,
    target,
    timezone,
    upstream: upstreamFeatures,
    generatedUpstream: takeRows(
      { rowCount: input.table.rowCount, columns: upstream.flatMap(({ generated }) => generated ?? []) },
      data.rowNumbers.map((row) => row - 1),
    ),
    ignored: ignoredCells(data, known, request),
    dropped,
    missing: imputedColumns(data.table, request),
    calendar,
    extra,
    dateRules: dateRulesOf(data, { timestamp, timezone, upstream, holidays: extra.holidays }),
    horizon,
    signs: request.expectedEffects ?? {},
    isOfLogs: false,
    ofLogs: null,
    seed: request.seed ?? 1,
    shouldStop,
  };
  const context = { ...levels, ofLogs: logContext(levels) };
  if (request.hyperparameters?.loss === "poisson" && data.targets.some((value) => value < 0)) {
    throw new TrainingImpossible(
      `The loss "poisson" is for counts and rates; "${target}" has negative values. Choose another loss.`,
    );
  }
  const naive = baseline(data, known, horizon);
  const naiveName = classes ? "base rate" : naive.name;
  const metricsOf = classes ? classMetrics : regressionMetrics;
  const naiveMetrics = metricsOf(data.targets.subarray(data.trainingRows), naive.predictions);
  const families = classes ? classFamilies(request, data) : requestedFamilies(request, data, known);
  const seasons = data.grid && known ? naiveSeasons(data.grid.frequency, data.trainingRows) : [];
  const {
    tried,
    finalists,
    naive: naiveErrors,
  } = await convertFutureLagError(async () =>
    classes === null && usesFixedProcedure(request, data, known)
      ? withoutSelection(fixedProcedure(context, targetMetric))
      : searchCandidates({
          context,
          families,
          blends: classes === null && blendsFamilies(request, data, families),
          sets: requestedSets(request, data, known, horizon),
          regressionSets: regressionSets(request, data),
          seasons,
          hyperparameters: request.hyperparameters ?? {},
          requiresInputs: request.features?.inputs === true,
          metric: targetMetric,
          report: (fraction, message) => onProgress(0.02 + 0.48 * fraction, "select", message),
        }),
  );
  const trained = await convertFutureLagError(() =>
    trainFinalists(context, finalists, (fraction, stage, message) =>
      onProgress(0.5 + 0.25 * fraction, stage, message),
    ),
  );
  const [best] = trained as [Finalist, ...Finalist[]];
  const name = modelNameOf(best.tried, classes);
  const refitting = `${name}: fitting on all ${counted(data.targets.length, "row")}`;
  const finalModel = refit(context, best, (fraction) =>
    onProgress(0.75 + 0.15 * fraction, "refit", refitting),
  );
  onProgress(0.9, "calibrate", `${name}: observing errors from earlier dates`);
  const outOfSample = await collectOutOfSample(context, best);
  const measured =
    best.tried.scores.length === 0
      ? measureUnselected(context, best.tried, {
          backTests: outOfSample.backTests,
          naive: naive.naive,
          metric: targetMetric,
        })
      : null;
  Object.assign(best.tried, measured?.model);
  const members = fitMembers(context, best.tried, finalModel);
  onProgress(0.97, "write", `${name}: packing the model`);
  const fitted = await writeModel({
    ...best,
    finalModel,
    members,
    outOfSample,
    context,
    request,
    targetMetric,
    baseline: naiveMetrics,
    naive: naive.naive,
    leaderboard: await leaderboard({
      context,
      finalModel,
      tried,
      finalists: trained,
      metric: targetMetric,
      baseline: { name: naiveName, metrics: naiveMetrics, errors: measured?.naive ?? naiveErrors },
    }),
  });
  onProgress(1, "write", "Done");
  return fitted;
}

/**
 * Returns the classes of the target; null for a target of numbers.
 *
 * @throws TrainingImpossible if the request does not suit the target
 */
function checkedClasses({ table, target, request = {} }: FitInput): Classes | null {
  const column = findColumn(table, target);
  const classes = column ? classesOfColumn(column, request.task === "classification") : null;
  const [unsuitable] = unsuitableSettings(request, classes);
  // `prepareData` rejects targets of other types.
  if (unsuitable && (classes !== null || column?.type === "number"))
    throw new TrainingImpossible(`${unsuitable.field}: ${unsuitable.message}`);
  return classes;
}

/** Returns the rows on their grid; null without a grid. @throws TrainingImpossible if the grid does not fit in memory */
function seriesOf(
  { table, grid }: PreparedData,
  { timestamp, target }: { timestamp: string; target: string },
): KnownSeries | null {
  if (grid === null) return null;
  const times = numericValues(table, timestamp);
  const [first, last] = [times[0]!, times.at(-1)!];
  const { indexOf } = createGrid(grid);
  const steps = indexOf(last) - indexOf(first) + 1;
  if (steps > limits.tableValues) {
    const [from, to] = [first, last].map((time) => new Date(time).toISOString());
    throw new TrainingImpossible(
      `The times from ${from} to ${to} span ${stepsText(steps, grid.frequency)}; training supports at most ${counted(limits.tableValues, "step")}. Correct wrong times, or resample the rows to longer steps.`,
    );
  }
  return knownSeries(table, { timestamp, target, grid });
}

/** Returns the columns with missing values. With `impute` the rows of later requests may lack any number. */
function imputedColumns({ columns }: Table, { features }: TrainModel): ReadonlySet<string> {
  const isRequested = features?.impute !== undefined;
  const imputed = columns.filter((column) => hasMissing(column) || (isRequested && column.type === "number"));
  return new Set(imputed.map(({ name }) => name));
}

/** Returns only the timestamp and the target. @throws TrainingImpossible without a timestamp */
function withoutInputs(table: Table, target: string, timestamp: string | null): Table {
  if (timestamp !== null) return selectColumns(table, [timestamp, target]);
  throw new TrainingImpossible(
    "`features.inputs` is false, and the data has no timestamp. Set it to true, or leave it out.",
  );
}

function chooseHorizon(
  requested: number | undefined,
  data: PreparedData,
  known: KnownSeries | null,
): number | null {
  if (!data.grid) return null;
  const validationRows = data.targets.length - data.trainingRows;
  const longest = known ? known.end - known.firstIndex : validationRows;
  if (requested !== undefined) return Math.min(requested, longest);
  return Math.max(1, Math.min(defaultHorizon(data.grid.frequency), validationRows));
}

/** Returns the rules of the inputs that follow from the date, by the holidays of the request. */
function dateRulesOf(
  { table, inputs }: PreparedData,
  {
    timestamp,
    timezone,
    upstream,
    holidays,
  }: Required<Pick<FitInput, "timestamp" | "upstream">> & {
    timezone: string;
    holidays: ExtraFeatures["holidays"];
  },
): CandidateContext["dateRules"] {
  if (timestamp === null) return new Map();
  const predicted = new Set(upstream?.map(({ column }) => column.name));
  const names = inputs.filter((name) => !predicted.has(name));
  return findDateRules(table, names, { instants: numericValues(table, timestamp), timezone, holidays });
}

/** Returns the requested features other than lags and windows, with holidays resolved to days. */
async function extraFeatures(
  { features }: TrainModel,
  { table }: PreparedData,
  timestamp: string | null,
  timezone: string,
): Promise<ExtraFeatures> {
  const { differences, combinations, impute, holidays } = features ?? {};
  if (!holidays) return { differences, combinations, impute };
  if (timestamp === null) throw new TrainingImpossible("Holidays need a timestamp, and the data has none.");
  const days = await publicHolidays(holidays, numericValues(table, timestamp), timezone).catch((cause) => {
    throw cause instanceof UnknownPlace ? new TrainingImpossible(cause.message, { cause }) : cause;
  });
  const { country, region = null } = holidays;
  return { differences, combinations, impute, holidays: { country, region, days } };
}
