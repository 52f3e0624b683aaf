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
import { TrainingImpossible } from "#lib/engine/learners/training-errors";
import { classesOfColumn, encodeClasses } from "#lib/engine/table/class-values";
import { findColumn, numericValues, selectColumns } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import type { CandidateContext } from "./candidate.ts";
import { droppedRows, withoutTargets } from "./contradicting-rows.ts";
import type { FitInput } from "./fit-input.ts";
import { ignoredCells } from "./ignored-values.ts";
import { logContext } from "./log-context.ts";
import { type PreparedData, prepareData } from "./prepare-data.ts";
import { unsuitableSettings } from "./task-rules.ts";

/**
 * Returns what the candidates of a search share: the rows in order, without those that contradict all others, their grid and
 * the rules of the request. `input.table` includes the upstream columns.
 *
 * @throws TrainingImpossible if the rows or the request do not allow a training
 */
export async function fitContext(input: FitInput, shouldStop: () => boolean): Promise<CandidateContext> {
  const { request = {}, target, timestamp, timezone = "UTC", upstream = [] } = input;
  const classes = checkedClasses(input);
  const columns =
    request.features?.inputs === false ? withoutInputs(input.table, target, timestamp) : input.table;
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
  if (request.hyperparameters?.loss === "poisson" && data.targets.some((value) => value < 0)) {
    throw new TrainingImpossible(
      `The loss "poisson" is for counts and rates; "${target}" has negative values. Choose another loss.`,
    );
  }
  return { ...levels, ofLogs: logContext(levels) };
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
