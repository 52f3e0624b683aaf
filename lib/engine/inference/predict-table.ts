import { counted } from "#lib/contract/counted";
import { stepsText } from "#lib/contract/duration-text";
import type { Table } from "#lib/contract/table";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import { type KnownSeries, knownSeries } from "#lib/engine/forecasting/known-series";
import { predictRows, type RowModel, type RowPredictions } from "#lib/engine/forecasting/predict-rows";
import { type Calibration, intervals } from "#lib/engine/intervals/conformal";
import { findColumn } from "#lib/engine/table/columns";
import {
  checkInput,
  type InputCheck,
  type InputWarning,
  SERIES_WARNING_CODES,
  type SeriesWarningCode,
} from "./check-input.ts";
import type { FeatureContributions } from "./contributions.ts";
import { atLeast } from "./evaluate.ts";
import type { InputFeature } from "./input-features.ts";
import type { ModelState } from "./model-files.ts";

export type PredictOptions = {
  /** Newer rows of the series than those kept with the model: its timestamp, target and inputs. */
  history?: Table | undefined;
  /** What `checkInput` has said of the table, where it was asked before. */
  checked?: InputCheck;
  include?:
    | {
        intervals?: boolean | undefined;
        contributions?: boolean | undefined;
        /** The rows to tell contributions of, from 0; all unless told otherwise. */
        contributionRows?: readonly number[] | undefined;
      }
    | undefined;
};

export type PredictResult = {
  /** In the order of the input's rows. */
  predictions: Float64Array;
  /** Bounds of the interval at `level`; absent if not asked for, or if the model was never calibrated. */
  intervals?: { level: number; lower: Float64Array; upper: Float64Array };
  contributions?: FeatureContributions;
  warnings: InputWarning[];
};

type SeriesState = Pick<ModelState, "target" | "timestamp" | "grid" | "horizon" | "floor" | "learnedUntil">;

/** What is to be known of a model to predict tables, besides what runs it; plain data. */
export type PredictingFacts = {
  state: SeriesState;
  inputFeatures: InputFeature[];
  calibration: Calibration | null;
};

export type RunRows = (table: Table, options: PredictOptions) => Promise<RowPredictions>;

/** A table that `checkInput` finds faults in was to be predicted. */
export class InputInvalid extends Error {
  override name = "InputInvalid";
  readonly check: InputCheck;
  constructor(check: InputCheck) {
    super(check.faults[0]?.message ?? "The input is invalid.");
    this.check = check;
  }
}

/**
 * Checks a table, predicts its rows, and says of them what the model knows, except for contributions.
 *
 * @returns with the answer the rows as they were run, and the table that they were run on
 * @throws InputInvalid where `checkInput` finds faults.
 */
export async function predictTable(
  { state, inputFeatures, calibration }: PredictingFacts,
  run: RunRows,
  table: Table,
  options: PredictOptions = {},
): Promise<{ answer: PredictResult; rows: RowPredictions; input: Table }> {
  const check = options.checked ?? checkInput(table, inputFeatures, state.target);
  if (check.faultCount > 0) throw new InputInvalid(check);
  const rows = await run(check.table, options);
  const { predictions, steps } = rows;
  const answer: PredictResult = {
    predictions,
    warnings: [...check.warnings, ...seriesWarnings(state, rows, check.table)],
  };
  if (options.include?.intervals && calibration) {
    answer.intervals = { level: calibration.level, ...intervals(calibration, predictions, steps) };
  }
  return { answer, rows, input: check.table };
}

/** @param evaluate the model's outputs for its inputs @param history the rows kept with the model */
export function runOnFeatures(
  { state, pipeline, history }: { state: SeriesState; pipeline: FeaturePipeline; history: Table | null },
  evaluate: RowModel["run"],
): RunRows {
  const known = history ? seriesOf(state, history) : null;
  // The same newer rows come with each prediction until yet newer ones arrive.
  const newer = new WeakMap<Table, KnownSeries | null>();
  const seriesFrom = (rows: Table) => {
    const series = newer.has(rows) ? newer.get(rows)! : seriesOf(state, rows);
    newer.set(rows, series);
    return series;
  };
  const { floor = null } = state;
  const run: RowModel["run"] = async (columns, rowCount) => atLeast(floor, await evaluate(columns, rowCount));
  const model = { pipeline, horizon: state.horizon ?? 1, run };
  return async (table, { history: rows, include }) =>
    predictRows(model, table, rows ? seriesFrom(rows) : known, include?.contributions);
}

function seriesOf(state: SeriesState, rows: Table): KnownSeries | null {
  const { grid, timestamp, target } = state;
  return grid && timestamp !== null ? knownSeries(rows, { timestamp, target, grid }) : null;
}

function seriesWarnings(
  state: SeriesState,
  { steps, rowsWithoutHistory }: RowPredictions,
  table: Table,
): InputWarning[] {
  const { horizon } = state;
  const beyond = horizon === null || !steps ? 0 : steps.reduce((n, step) => n + (step > horizon ? 1 : 0), 0);
  const counts: Record<SeriesWarningCode, number> = {
    incomplete_history: rowsWithoutHistory,
    beyond_horizon: beyond,
    in_sample: rowsInSample(state, table),
  };
  return SERIES_WARNING_CODES.filter((code) => counts[code] > 0).map((code) =>
    seriesWarning(state, code, counts[code]),
  );
}

/** Rows up to the last time that the model was fitted on. */
function rowsInSample({ timestamp, learnedUntil }: SeriesState, table: Table): number {
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  if (times?.type !== "timestamp" || typeof learnedUntil !== "number") return 0;
  return times.values.reduce((count, time) => count + (time <= learnedUntil ? 1 : 0), 0);
}

/** What is said of input that consists of rows that the model was fitted on. */
export function inSampleWarning(rows: number): InputWarning {
  const message = `${counted(rows, "row was", "rows were")} part of the training data: the predictions fit better than those of new rows would.`;
  return { code: "in_sample", message, column: null, rows };
}

/** What is said of so many rows of a series for where they lie in time. */
export function seriesWarning(
  { target, timestamp, horizon, grid }: SeriesState,
  code: SeriesWarningCode,
  rows: number,
): InputWarning {
  if (code === "in_sample") {
    const message = `${counted(rows, "row lies", "rows lie")} within the training period: the predictions fit better than a forecast would.`;
    return { code, message, column: timestamp, rows };
  }
  if (code === "incomplete_history") {
    const message = `${counted(rows, "row")}: earlier values of "${target}" that the model looks back at are not known.`;
    return { code, message, column: target, rows };
  }
  const validated = stepsText(horizon ?? 0, grid?.frequency ?? null);
  const message = `${counted(rows, "row lies", "rows lie")} more than ${validated} after the last known one, which is as far as the model was validated.`;
  return { code, message, column: timestamp, rows };
}
